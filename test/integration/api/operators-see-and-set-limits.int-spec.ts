import { apiUnderTest, fanOutDefinition, type ApiUnderTest } from './api-under-test.js';
import { noControl, type ControlPort } from '../../../apps/api/src/executions/control-port.js';

describe('operators see and set limits', () => {
  let api: ApiUnderTest;
  const asked: unknown[] = [];
  const control: ControlPort = {
    ...noControl,
    cancel: async (...args) => (asked.push(args), { ok: true }),
    pause: async () => ({
      ok: false,
      status: 409,
      code: 'EXECUTION.ILLEGAL_TRANSITION',
      detail: 'it has settled',
      state: 'succeeded',
    }),
    redrive: async (...args) => (asked.push(args), { ok: true, matched: 3, redriven: 2 }),
    patchFanOut: async (...args) => (asked.push(args), { ok: true }),
    signal: async (...args) => (asked.push(args), { ok: true }),
    remove: async () => ({ ok: true }),
  };
  beforeAll(async () => {
    api = await apiUnderTest({ control });
    await api.call('POST', '/v1/pipelines', fanOutDefinition('run'));
  });
  afterAll(() => api.close());

  it('of destinations', async () => {
    const put = (body: unknown, name = 'llm') => api.call('PUT', `/v1/destinations/${name}`, body);
    const limits = { match: { host: 'API.example:8443' }, maxConcurrency: 4, rate: { limit: 10, per: '1s' } };
    expect((await put(limits)).status).toBe(201);
    const again = await put({ maxConcurrency: 2 });
    expect([again.status, again.json]).toEqual([
      200,
      expect.objectContaining({
        name: 'llm',
        maxConcurrency: 2,
        match: null,
        inUse: 0,
        waiting: 0,
        throttledUntil: null,
      }),
    ]);
    await put(limits);
    expect((await api.call('GET', '/v1/destinations/llm')).json).toMatchObject({
      match: { host: 'api.example:8443' },
      rate: limits.rate,
    });
    for (const maxConcurrency of [0, -1, 1.5, '5', 1e9]) expect((await put({ maxConcurrency })).status).toBe(422);
    expect((await put({ maxConcurency: 1 })).json.errors).toEqual([{ path: 'maxConcurency', message: 'is not known' }]);
    expect((await put({ rate: { limit: 1, per: '1d' } })).json.errors[0].path).toBe('rate.per');
    expect((await put({ match: { host: 'http://x' } })).status).toBe(422);
    for (const [rate, path] of [
      [{ limit: 0, per: '1s' }, 'rate.limit'],
      [{ limit: 1.5, per: '1s' }, 'rate.limit'],
      [{ limit: '60', per: '1m' }, 'rate.limit'],
      [{ limit: 60, per: '1m', burst: 0 }, 'rate.burst'],
      [{ limit: 60 }, 'rate.per'],
      [{ limit: 60, per: '1h', every: 1 }, 'rate.every'],
    ] as const)
      expect((await put({ rate })).json.errors[0].path).toBe(path);
    expect((await put({ adaptive: 'yes' })).json.errors[0].path).toBe('adaptive');
    expect((await put({ rate: { limit: 90_000, per: '1m', burst: 500 }, adaptive: true })).json).toMatchObject({
      rateState: { available: 500, nextAt: null },
      adaptiveLimit: 4,
      limit: 4,
      breaker: 'CLOSED',
      breakerUntil: null,
    });
    for (const name of ['UPPER', 'x'.repeat(129), `${'x'.repeat(3000)}`])
      expect((await put({}, name)).status).toBe(422);
    expect((await api.call('DELETE', '/v1/destinations/llm')).status).toBe(202);
    expect((await api.call('GET', '/v1/destinations/llm')).status).toBe(404);
  });

  it('of quotas, as administrators', async () => {
    expect((await api.call('PUT', '/v1/quotas/all', { maxOpenExecutions: 100 })).json).toEqual({
      scope: 'all',
      maxOpenExecutions: 100,
      maxChildrenPerFanOut: null,
    });
    expect((await api.call('GET', '/v1/quotas')).json.items).toHaveLength(1);
    const { secret, id } = (await api.call('POST', '/v1/api-keys', { role: 'viewer', name: 'eyes' })).json;
    const viewer = { authorization: `Bearer ${secret}` };
    expect((await api.call('PUT', '/v1/quotas/all', {}, viewer)).status).toBe(403);
    expect((await api.call('POST', '/v1/pipelines/run/executions', {}, viewer)).json.code).toBe('ACCESS.FORBIDDEN');
    expect((await api.call('GET', '/v1/quotas/all', undefined, viewer)).status).toBe(200);
    expect((await api.call('GET', '/v1/api-keys', undefined, viewer)).status).toBe(403);
    expect((await api.call('GET', '/v1/api-keys')).text).not.toContain(secret);
    await api.call('DELETE', `/v1/api-keys/${id}`);
    expect((await api.call('GET', '/v1/quotas/all', undefined, viewer)).status).toBe(401);
    expect((await api.call('DELETE', '/v1/quotas/all')).status).toBe(202);
  });

  it('and control executions, told what was refused and why', async () => {
    const { id } = (await api.call('POST', '/v1/pipelines/run/executions', { input: { items: [] } })).json;
    expect((await api.call('POST', `/v1/executions/${id}/cancel`)).json.id).toBe(id);
    expect(asked.at(-1)).toEqual([id, { cascade: true }]);
    const paused = await api.call('POST', `/v1/executions/${id}/pause`, {});
    expect([paused.status, paused.json.code, paused.json.state]).toEqual([
      409,
      'EXECUTION.ILLEGAL_TRANSITION',
      'SUCCEEDED',
    ]);
    expect((await api.call('POST', `/v1/executions/${id}/redrive`, { class: 'TIMEOUT' })).json).toEqual({
      matched: 3,
      redriven: 2,
    });
    expect((await api.call('POST', `/v1/executions/${id}/redrive`, { state: ['SUCCEEDED'] })).status).toBe(422);
    await api.call('PATCH', `/v1/executions/${id}/fan-outs/fan`, '{"failureTolerance":{"maxFailureRatio":0.290}}');
    expect(asked.at(-1)).toEqual([id, 'fan', { failureTolerance: { maxFailureRatio: '0.290' } }]);
    for (const change of [{}, { maxConcurrency: 0 }, { failureTolerance: { maxFailureRatio: 1.5 } }])
      expect((await api.call('PATCH', `/v1/executions/${id}/fan-outs/fan`, change)).status).toBe(422);
    expect((await api.call('POST', `/v1/executions/${id}/signals/go`, '{"n":9007199254740993}')).status).toBe(202);
    expect(asked.at(-1)).toEqual([id, 'go', '{"n":9007199254740993}']);
    expect((await api.call('DELETE', `/v1/executions/${id}`)).status).toBe(202);
  });

  it('one open execution per business key, byte for byte', async () => {
    const start = (key: string) => api.call('POST', '/v1/pipelines/run/executions', { key });
    const first = await start('k\u00e9y');
    const second = await start('k\u00e9y');
    expect([second.status, second.json.code, second.json.id]).toEqual([409, 'EXECUTION.KEY_IN_USE', first.json.id]);
    expect((await start('ke\u0301y')).status).toBe(201);
    const long = 'x'.repeat(254);
    expect([(await start(`${long}a`)).status, (await start(`${long}b`)).status]).toEqual([201, 201]);
    for (const key of ['x'.repeat(256), 'é'.repeat(128), 'a\u0000', '\ud800'])
      expect((await start(key)).status).toBe(422);
    const replies = await Promise.all(Array.from({ length: 20 }, () => start('racing')));
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1);
    expect(replies.filter((reply) => reply.status === 409)).toHaveLength(19);
  });

  it('a quota bounds what may be open, decided one start after the other', async () => {
    await api.call('POST', '/v1/pipelines', fanOutDefinition('bounded'));
    await api.call('PUT', '/v1/quotas/bounded', { maxOpenExecutions: 3 });
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => api.call('POST', '/v1/pipelines/bounded/executions', {})),
    );
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(3);
    const refusal = replies.find((reply) => reply.status !== 201)!;
    expect(refusal.json).toMatchObject({ status: 409, code: 'QUOTA.EXCEEDED', limit: 3, open: 3 });
    await api.call('DELETE', '/v1/quotas/bounded');
    expect((await api.call('POST', '/v1/pipelines/bounded/executions', {})).status).toBe(201);
  });

  it('every attempt with its number, charge and outcome', async () => {
    const { id } = (await api.call('POST', '/v1/pipelines/run/executions', {})).json;
    await api.database.pool.query(
      `insert into event (execution_id, seq, kind, node, attempt, actor, data) values
         ($1, 2, 'started', 0, 1, 7, null),
         ($1, 4, 'retrying', 0, 1, 7, '{"outcome":"FAILED","charged":false,"error":{"code":"HTTP.STATUS","status":503}}'),
         ($1, 6, 'attempt_started', 0, 2, 8, null),
         ($1, 7, 'attempt_succeeded', 0, 2, 8, null),
         ($1, 9, 'attempt_started', 1, 1, 8, null)`,
      [id],
    );
    const first = (await api.call('GET', `/v1/executions/${id}/attempts?limit=2`)).json;
    const rest = (await api.call('GET', `/v1/executions/${id}/attempts?limit=2&cursor=${first.nextCursor}`)).json;
    expect(first.items).toMatchObject([
      { nodeId: 'fan', attempt: 1, charged: false, executor: '7', outcome: 'FAILED', error: { status: 503 } },
      { nodeId: 'fan', attempt: 2, charged: true, executor: '8', outcome: 'SUCCEEDED', error: null },
    ]);
    expect(rest.items).toMatchObject([{ nodeId: 'join', attempt: 1, charged: null, outcome: null, finishedAt: null }]);
    expect(rest.nextCursor).toBeNull();
  });

  it('who changed what, newest first', async () => {
    await api.call('PUT', '/v1/destinations/audited', {});
    const [entry] = (await api.call('GET', '/v1/audit?limit=1')).json.items;
    expect(entry).toMatchObject({
      actor: 'bootstrap',
      action: 'PUT /v1/destinations/:name',
      target: '/v1/destinations/audited',
    });
  });

  it('starts executions while the bus is away', async () => {
    api.bus.state = 'down';
    const { status, json } = await api.call('POST', '/v1/pipelines/run/executions', { input: { items: [] } });
    api.bus.state = 'up';
    expect(status).toBe(201);
    const { rows } = await api.database.pool.query('select from intake where execution_id = $1', [json.id]);
    expect(rows).toHaveLength(1);
  });

  it('metrics and the description of the api, without a key', async () => {
    const open = { authorization: '' };
    const metrics = (await api.call('GET', '/metrics', undefined, open)).text;
    expect(metrics).toMatch(/fanfold_http_request_duration_seconds_count\{[^}]*route="\/v1\/executions\/:id\/cancel"/);
    const docs = (await api.call('GET', '/docs-json', undefined, open)).json;
    expect(Object.keys(docs.paths)).toContain('/v1/executions/{id}/stream');
    expect((await api.call('GET', '/docs', undefined, open)).status).toBe(200);
  });

  it('executors and the backlog', async () => {
    await api.database.pool.query(
      `insert into executor (name, slots, free_slots, queues, node_types, lease_ms, heartbeat_ms) values ('x', 10, 9, '{default}', '{HTTP}', 15000, 5000)`,
    );
    expect((await api.call('GET', '/v1/executors?state=LIVE')).json.items).toMatchObject([
      { name: 'x', state: 'LIVE', slots: 10, running: 0 },
    ]);
    await api.database.pool.query(`insert into backlog_sample values (now(), 'default', 5, 4, 3)`);
    expect((await api.call('GET', '/v1/backlog?step=10s')).json.items).toMatchObject([
      { queue: 'default', pending: 5, ready: 4, running: 3 },
    ]);
    expect((await api.call('GET', '/v1/backlog?step=x')).status).toBe(400);
  });
});
