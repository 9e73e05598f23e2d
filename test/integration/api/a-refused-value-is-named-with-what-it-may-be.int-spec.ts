import { apiUnderTest, fanOutDefinition, type ApiUnderTest } from './api-under-test.js';

describe('refused is, wherever it stands in a request', () => {
  let api: ApiUnderTest;
  let id: string;
  beforeAll(async () => {
    api = await apiUnderTest();
    await api.call('POST', '/v1/pipelines', fanOutDefinition('first'));
    id = (await api.call('POST', '/v1/pipelines/first/executions', {})).json.id;
  });
  afterAll(() => api.close());

  it('a text that nothing can hold, with its path', async () => {
    const schedule = { name: 'nightly', pipeline: 'first', cron: '0 0 * * *' };
    const asked: [method: string, path: string, body: (text: string) => object, defect: string][] = [
      ['PUT', '/v1/pressure', (text) => ({ reason: text }), 'reason'],
      ['POST', '/v1/api-keys', (text) => ({ role: 'viewer', name: text }), 'name'],
      ['POST', `/v1/executions/${id}/redrive`, (text) => ({ fingerprint: text }), 'fingerprint'],
      ['POST', `/v1/executions/${id}/redrive`, (text) => ({ node: text }), 'node'],
      ['POST', `/v1/executions/${id}/retry`, (text) => ({ from: text }), 'from'],
      ['POST', '/v1/pipelines/first/executions', (text) => ({ key: text }), 'key'],
      ['POST', '/v1/pipelines/first/executions', (text) => ({ labels: { a: text } }), 'labels.a'],
      ['PUT', '/v1/destinations/d', (text) => ({ match: { host: text } }), 'match.host'],
      ['POST', '/v1/schedules', (text) => ({ ...schedule, timeZone: text }), 'timeZone'],
      ['POST', '/v1/schedules', (text) => ({ ...schedule, labels: { a: text } }), 'labels.a'],
    ];
    for (const [method, path, body, defect] of asked)
      for (const text of ['a\u0000b', '\ud800', 'a\udc00b']) {
        const reply = await api.call(method, path, body(text));
        expect([reply.status, reply.json.code]).toEqual([422, 'REQUEST.INVALID']);
        expect({ text, errors: reply.json.errors }).toEqual({
          text,
          errors: [{ path: defect, message: expect.any(String) }],
        });
      }
    expect((await api.call('PUT', '/v1/pressure', { reason: 'wärme \u{1f525}' })).text).toContain('wärme \u{1f525}');
    await api.call('DELETE', '/v1/pressure');
  });

  it('a number out of its bounds, with its path and both of them', async () => {
    const most = 2 ** 31 - 1;
    const asked: [
      method: string,
      path: string,
      body: (n: unknown) => object,
      defect: string,
      least: number,
      most: number,
    ][] = [
      ['PUT', '/v1/quotas/all', (n) => ({ maxOpenExecutions: n }), 'maxOpenExecutions', 0, most],
      ['PUT', '/v1/quotas/all', (n) => ({ maxChildrenPerFanOut: n }), 'maxChildrenPerFanOut', 0, most],
      ['PUT', '/v1/destinations/d', (n) => ({ maxConcurrency: n }), 'maxConcurrency', 1, 1e6],
      ['PUT', '/v1/destinations/d', (n) => ({ rate: { limit: n, per: '1s' } }), 'rate.limit', 1, 1e12],
      ['PUT', '/v1/destinations/d', (n) => ({ rate: { limit: 1, per: '1s', burst: n } }), 'rate.burst', 1, 1e12],
      ['PATCH', `/v1/executions/${id}/fan-outs/fan`, (n) => ({ maxConcurrency: n }), 'maxConcurrency', 1, most],
      ['PATCH', `/v1/executions/${id}/fan-outs/fan`, (n) => ({ priority: n }), 'priority', 0, 9],
      [
        'PATCH',
        `/v1/executions/${id}/fan-outs/fan`,
        (n) => ({ failureTolerance: { maxFailureCount: n } }),
        'failureTolerance.maxFailureCount',
        0,
        most,
      ],
      ['POST', `/v1/executions/${id}/redrive`, (n) => ({ itemIndexes: [0, n] }), 'itemIndexes[1]', 0, most],
      ['POST', '/v1/pipelines/first/executions', (n) => ({ priority: n }), 'priority', 0, 9],
      ['POST', '/v1/pipelines/first/executions', (n) => ({ version: n }), 'version', 1, most],
    ];
    for (const [method, path, body, defect, from, to] of asked)
      for (const number of [1e15, 1e300, -1.5, from - 1, to + 1, '5']) {
        const reply = await api.call(method, path, body(number));
        expect([reply.status, reply.json.code]).toEqual([422, 'REQUEST.INVALID']);
        expect({ number, errors: reply.json.errors }).toEqual({
          number,
          errors: [{ path: defect, message: `must be a whole number from ${from} to ${to}` }],
        });
      }
  });
});
