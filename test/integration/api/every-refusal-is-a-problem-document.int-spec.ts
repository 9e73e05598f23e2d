import { gzipSync } from 'node:zlib';
import { apiUnderTest, fanOutDefinition, type ApiUnderTest, type Reply } from './api-under-test.js';

describe('every refusal is a problem document', () => {
  let api: ApiUnderTest;
  beforeAll(async () => {
    api = await apiUnderTest({ bodyLimitBytes: 100_000 });
    await api.call('POST', '/v1/pipelines', fanOutDefinition('first'));
  });
  afterAll(() => api.close());

  const expectProblem = (reply: Reply, status: number, code?: string) => {
    expect(reply.status).toBe(status);
    expect(reply.headers.get('content-type')).toContain('application/problem+json');
    expect(reply.json).toMatchObject({ type: expect.any(String), title: expect.any(String), status });
    expect(reply.json.code).toMatch(/^[A-Z]+\.[A-Z0-9_]+$/);
    if (code) expect(reply.json.code).toBe(code);
    expect(reply.text).not.toMatch(/node_modules|select |\.ts:|at .*\(/);
  };

  it('for a missing or unknown key', async () => {
    expectProblem(
      await api.call('GET', '/v1/pipelines', undefined, { authorization: '' }),
      401,
      'ACCESS.UNAUTHENTICATED',
    );
    expectProblem(await api.call('GET', '/v1/pipelines', undefined, { authorization: 'Bearer x' }), 401);
  });

  it('for a path or a method that is not there', async () => {
    expectProblem(await api.call('GET', '/v1/nothing'), 404, 'REQUEST.ROUTE_UNKNOWN');
    const reply = await api.call('PUT', '/v1/pipelines', {});
    expectProblem(reply, 405, 'REQUEST.METHOD_NOT_ALLOWED');
    expect(reply.headers.get('allow')).toBe('GET, POST');
    expectProblem(await api.call('GET', '/v1/pipelines/%ff'), 400);
    expectProblem(await api.call('GET', '/v1/executions/not-an-id'), 404, 'EXECUTION.UNKNOWN');
  });

  it('for a body that cannot be read', async () => {
    const start = '/v1/pipelines/first/executions';
    expectProblem(await api.call('POST', start, '{"input":'), 400, 'REQUEST.NOT_JSON');
    expectProblem(await api.call('POST', start, Buffer.from([0x7b, 0xff, 0x7d])), 400, 'REQUEST.NOT_UTF8');
    expectProblem(await api.call('POST', start, '{}', { 'content-encoding': 'zstd' }), 400, 'REQUEST.HEADER');
    expectProblem(await api.call('POST', start, 'no gzip', { 'content-encoding': 'gzip' }), 400, 'REQUEST.ENCODING');
    expectProblem(await api.call('POST', start, '{}', { 'content-type': 'application/json; charset=latin1' }), 400);
  });

  it('for a body that is read and refused, with every defect', async () => {
    const start = '/v1/pipelines/first/executions';
    expectProblem(await api.call('POST', start, '[]'), 422);
    expectProblem(await api.call('POST', start, { inputs: {} }), 422);
    const reply = await api.call('POST', start, { priority: 10, version: 1.5, key: '', labels: { a: 1 } });
    expectProblem(reply, 422, 'REQUEST.INVALID');
    expect(reply.json.errors.map((error: { path: string }) => error.path).sort()).toEqual([
      'key',
      'labels.a',
      'priority',
      'version',
    ]);
    for (const priority of [-1, 1.5, '5', null, 1e9])
      expectProblem(await api.call('POST', start, { priority }), 422, 'REQUEST.INVALID');
  });

  it('for a query that is not known or out of range', async () => {
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'limit=-1', 'unknown=1', 'cursor=zzz', 'cursor='])
      expectProblem(await api.call('GET', `/v1/pipelines?${query}`), 400);
    for (const query of ['state=NOPE', 'since=yesterday', 'label=x', 'parent=1'])
      expectProblem(await api.call('GET', `/v1/executions?${query}`), 400);
  });

  it('for a body above the limit, measured after decompression, at once and with the limit', async () => {
    const large = JSON.stringify({ input: 'x'.repeat(200_000) });
    const plain = await api.call('POST', '/v1/pipelines/first/executions', large);
    expectProblem(plain, 413, 'REQUEST.TOO_LARGE');
    expect(plain.json.limitBytes).toBe(100_000);
    const bomb = gzipSync(Buffer.alloc(50_000_000, 0x20));
    expectProblem(await api.call('POST', '/v1/pipelines/first/executions', bomb, { 'content-encoding': 'gzip' }), 413);
    const packed = gzipSync(JSON.stringify({ input: { items: [1] } }));
    expect(
      (await api.call('POST', '/v1/pipelines/first/executions', packed, { 'content-encoding': 'gzip' })).status,
    ).toBe(201);
    expect((await api.call('GET', '/v1/executions')).json.items).toHaveLength(1);
  });
});
