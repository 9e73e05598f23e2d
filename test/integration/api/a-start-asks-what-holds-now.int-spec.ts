import { apiUnderTest, fanOutDefinition, type ApiReplica, type ApiUnderTest } from './api-under-test.js';

// A replica remembers a pipeline's newest version; whoever changes the pipeline speaks to another one.
describe('a start asks what holds now, not what held at the last start', () => {
  let api: ApiUnderTest;
  let other: ApiReplica;
  beforeAll(async () => {
    api = await apiUnderTest();
    other = await api.replica();
  });
  afterAll(() => api.close());

  const start = (name: string, body: unknown = {}) => api.call('POST', `/v1/pipelines/${name}/executions`, body);
  const known = async (name: string, more: object = {}) => {
    await api.call('POST', '/v1/pipelines', { ...fanOutDefinition(name), ...more });
    for (const body of [{}, {}]) expect((await start(name, body)).status).toBe(201);
  };

  it('runs the version that was published since', async () => {
    await known('renewed');
    await other.call('POST', '/v1/pipelines', { ...fanOutDefinition('renewed'), timeout: '1h' });
    const { status, json } = await start('renewed');
    expect([status, json.pipeline.version]).toEqual([201, 2]);
    const named = await start('renewed', { version: 1 });
    expect([named.status, named.json.pipeline.version]).toEqual([201, 1]);
    expect((await start('renewed')).json.pipeline.version).toBe(2);
  });

  it('is refused where the pipeline takes none since, and taken where it does again', async () => {
    await known('stopped');
    await other.call('PATCH', '/v1/pipelines/stopped', { enabled: false });
    const refused = await start('stopped');
    expect([refused.status, refused.json.code]).toEqual([409, 'PIPELINE.DISABLED']);
    await other.call('PATCH', '/v1/pipelines/stopped', { enabled: true });
    expect((await start('stopped')).status).toBe(201);
  });

  it('is refused where a quota is used up that was set since', async () => {
    await known('counted');
    expect((await other.call('PUT', '/v1/quotas/counted', { maxOpenExecutions: 3 })).status).toBeLessThan(300);
    expect((await start('counted')).status).toBe(201);
    const refused = await start('counted');
    expect([refused.status, refused.json.code]).toEqual([409, 'QUOTA.EXCEEDED']);
  });

  it('is refused where its input does not fit the schema published since', async () => {
    await known('shaped');
    const inputSchema = { type: 'object', required: ['n'] };
    await other.call('POST', '/v1/pipelines', { ...fanOutDefinition('shaped'), inputSchema });
    const refused = await start('shaped');
    expect([refused.status, refused.json.code]).toEqual([422, 'EXECUTION.INPUT_REFUSED']);
    expect((await start('shaped', { input: { n: 1 } })).status).toBe(201);
    // and by the remembered schema as by the newest
    expect((await start('shaped')).status).toBe(422);
  });

  it('leaves a deadline and an event, as every start does', async () => {
    await known('timed', { timeout: '1h' });
    const { json } = await start('timed');
    const events = await api.call('GET', `/v1/executions/${json.id}/events`);
    expect(events.json.items.map(({ type }: { type: string }) => type)).toEqual(['execution.created']);
    const { rows } = await api.database.pool.query('select kind from timer where execution_id = $1', [json.id]);
    expect(rows).toEqual([{ kind: 'deadline' }]);
  });
});
