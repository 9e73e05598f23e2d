import { apiUnderTest, fanOutDefinition, type ApiUnderTest } from './api-under-test.js';

describe('broken pipelines are refused with every defect', () => {
  let api: ApiUnderTest;
  beforeAll(async () => {
    api = await apiUnderTest();
  });
  afterAll(() => api.close());

  const publish = (definition: unknown) => api.call('POST', '/v1/pipelines', definition);
  const node = (id: string, more: object = {}) => ({ id, type: 'TRANSFORM', config: { output: 1 }, ...more });
  const spawning = (name: string, pipeline: string) => ({
    name,
    nodes: [{ id: 'fan', type: 'SPAWNER', config: { items: '${input.items}', pipeline } }],
    edges: [],
  });

  it('publishes a version once, and the same definition again gives the same version', async () => {
    const first = await publish(fanOutDefinition('versions'));
    expect([first.status, first.json.version]).toEqual([201, 1]);
    expect(first.json.plan.nodes).toEqual([
      { id: 'fan', type: 'SPAWNER', rank: 0, inDegree: 0, criticalPath: expect.any(Number) },
      { id: 'join', type: 'MERGE', rank: 1, inDegree: 1, criticalPath: expect.any(Number) },
    ]);
    const same = await publish(JSON.stringify(fanOutDefinition('versions'), null, 2));
    expect([same.status, same.json.version, same.json.createdAt]).toEqual([200, 1, first.json.createdAt]);
    const changed = await publish(fanOutDefinition('versions', { top: { maxConcurrency: 3 } }));
    expect([changed.status, changed.json.version]).toEqual([201, 2]);
    expect(
      (await api.call('GET', '/v1/pipelines/versions/versions')).json.items.map((v: { version: number }) => v.version),
    ).toEqual([2, 1]);
    expect((await api.call('GET', '/v1/pipelines/versions/versions/1')).json.definition.maxConcurrency).toBeUndefined();
    expect((await api.call('GET', '/v1/pipelines/versions/versions/9')).status).toBe(404);
  });

  it('names every defect of a graph in one answer', async () => {
    const reply = await publish({
      name: 'broken',
      nodes: [node('a'), node('a'), node('b'), node('c'), node('island', { retry: { maxAttempts: 0 } })],
      edges: [
        { from: 'b', to: 'c' },
        { from: 'c', to: 'b' },
        { from: 'b', to: 'b' },
        { from: 'a', to: 'nowhere' },
      ],
    });
    expect([reply.status, reply.json.code]).toEqual([422, 'PIPELINE.INVALID']);
    expect(reply.json.errors.length).toBeGreaterThanOrEqual(4);
    expect((await api.call('GET', '/v1/pipelines/broken')).status).toBe(404);
  });

  it('refuses limits of zero, negative, fractional or text, and unknown fields', async () => {
    for (const maxConcurrency of [0, -1, 1.5, '5', null])
      expect((await publish(fanOutDefinition('limits', { top: { maxConcurrency } }))).text).toContain('maxConcurrency');
    for (const maxFailureRatio of [-0.1, 1.5, '0.05', null]) {
      const merge = { tolerateChildFailures: ['FAILED'], failureTolerance: { maxFailureRatio } };
      const reply = await publish(fanOutDefinition('limits', { merge }));
      expect([reply.status, reply.text]).toEqual([422, expect.stringContaining('maxFailureRatio')]);
    }
    expect((await publish(fanOutDefinition('limits', { top: { maxConcurency: 1 } }))).text).toContain('maxConcurency');
    expect((await publish(fanOutDefinition('limits', { top: { inputSchema: { type: 'nonsense' } } }))).text).toContain(
      'inputSchema',
    );
  });

  it('refuses pipelines that are missing, and spawn recursion through any number of them', async () => {
    expect((await publish(spawning('self', 'self'))).text).toContain('recursion');
    expect((await publish(spawning('orphan', 'missing'))).text).toContain('missing');
    expect((await publish(spawning('orphan', 'versions@7'))).status).toBe(422);
    expect((await publish(spawning('a', 'versions'))).status).toBe(201);
    expect((await publish(spawning('b', 'a'))).status).toBe(201);
    const reply = await publish(spawning('versions', 'b'));
    expect(reply.status).toBe(422);
    expect(reply.json.errors).toEqual([
      { path: 'nodes[0].config.pipeline', message: expect.stringContaining('versions → b → a → versions') },
    ]);
    expect((await publish(spawning('versions', 'missing@1'))).status).toBe(422);
  });

  it('accepts a chain of 10,000 nodes quickly', async () => {
    const nodes = Array.from({ length: 10_000 }, (_, i) => node(`n${i}`));
    const edges = nodes.slice(1).map((n, i) => ({ from: `n${i}`, to: n.id }));
    const startedAt = performance.now();
    const reply = await publish({ name: 'chain', nodes, edges });
    expect(reply.status).toBe(201);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it('takes no executions when switched off, and is not deleted while one is open', async () => {
    await publish(fanOutDefinition('switch'));
    expect((await api.call('PATCH', '/v1/pipelines/switch', { enabled: false })).json.enabled).toBe(false);
    expect((await api.call('POST', '/v1/pipelines/switch/executions', {})).json.code).toBe('PIPELINE.DISABLED');
    expect((await api.call('PATCH', '/v1/pipelines/switch', { enabled: 'yes' })).status).toBe(422);
    await api.call('PATCH', '/v1/pipelines/switch', { enabled: true });
    const { id } = (await api.call('POST', '/v1/pipelines/switch/executions', {})).json;
    expect((await api.call('DELETE', '/v1/pipelines/switch')).json.code).toBe('PIPELINE.IN_USE');
    await api.database.pool.query(`update execution set state = 'cancelled' where id = $1`, [id]);
    expect((await api.call('DELETE', '/v1/pipelines/switch')).status).toBe(202);
    expect((await api.call('GET', '/v1/pipelines/switch')).status).toBe(404);
    expect((await api.call('GET', `/v1/executions/${id}`)).json.pipeline).toEqual({ name: 'switch', version: 1 });
    expect((await publish(fanOutDefinition('switch'))).json.version).toBe(2);
  });

  it('checks the input of a start by its schema', async () => {
    const inputSchema = { type: 'object', required: ['items'], properties: { items: { type: 'array' } } };
    await publish(fanOutDefinition('schema', { top: { inputSchema } }));
    const start = (input: unknown) => api.call('POST', '/v1/pipelines/schema/executions', { input });
    expect((await start({ items: 3 })).json.code).toBe('EXECUTION.INPUT_REFUSED');
    expect((await start({ items: [] })).status).toBe(201);
  });
});
