import { apiUnderTest, fanOutDefinition, type ApiReplica, type ApiUnderTest } from './api-under-test.js';

describe('a request key makes a start happen once', () => {
  let api: ApiUnderTest;
  let other: ApiReplica;
  beforeAll(async () => {
    api = await apiUnderTest();
    other = await api.replica();
    for (const name of ['one', 'two']) await api.call('POST', '/v1/pipelines', fanOutDefinition(name));
  });
  afterAll(() => api.close());

  const start = (key: string, body: unknown, name = 'one', replica: ApiReplica = api) =>
    replica.call('POST', `/v1/pipelines/${name}/executions`, body, { 'idempotency-key': key });
  const count = async () => (await api.call('GET', '/v1/executions?limit=1000')).json.items.length as number;

  it('replays the first answer for the same body, however it is written', async () => {
    const first = await start('replay', '{"input":{"a":1,"b":[9007199254740993]},"priority":3}');
    expect(first.status).toBe(201);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    const again = await start('replay', '{ "priority": 3, "input": {"b": [9007199254740993], "a": 1} }');
    expect(again.status).toBe(201);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.text).toBe(first.text);
  });

  it('refuses another body, also one that differs in the last digit of a number', async () => {
    await start('other', '{"input":{"id":9007199254740993}}');
    const reply = await start('other', '{"input":{"id":9007199254740992}}');
    expect([reply.status, reply.json.code]).toEqual([422, 'IDEMPOTENCY.KEY_REUSED']);
  });

  it('is of its own for another pipeline and another api key', async () => {
    const first = await start('scope', { input: 1 });
    const second = await start('scope', { input: 1 }, 'two');
    const { secret } = (await api.call('POST', '/v1/api-keys', { role: 'operator' })).json;
    const third = await api.call(
      'POST',
      '/v1/pipelines/one/executions',
      { input: 1 },
      {
        'idempotency-key': 'scope',
        authorization: `Bearer ${secret}`,
      },
    );
    expect(new Set([first, second, third].map((reply) => reply.json.id)).size).toBe(3);
  });

  it('refuses keys that are empty, too long or not printable', async () => {
    for (const key of ['', 'x'.repeat(256), 'x'.repeat(5_000), 'a\tb']) expect((await start(key, {})).status).toBe(400);
    expect((await start('x'.repeat(255), {})).status).toBe(201);
  });

  it('makes fifty parallel requests to two replicas one execution', async () => {
    const before = await count();
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, i) => start('fifty', { input: { n: 50 } }, 'one', i % 2 ? api : other)),
    );
    expect(
      replies.every((reply) => reply.status === 201 || (reply.status === 409 && reply.headers.get('retry-after'))),
    ).toBe(true);
    const last = await start('fifty', { input: { n: 50 } });
    const ids = new Set([...replies, last].filter((reply) => reply.status === 201).map((reply) => reply.json.id));
    expect(ids.size).toBe(1);
    expect((await count()) - before).toBe(1);
  });

  it('lets the key go when the request was refused', async () => {
    expect((await start('refused', { nonsense: true })).status).toBe(422);
    expect((await start('refused', { input: 2 })).status).toBe(201);
  });

  it('takes over a key whose process died, and not one that is in work', async () => {
    await start('dead', { input: 3 });
    await api.database.pool.query(`update idempotency_key set status = null, headers = 'gone' where key = 'dead'`);
    expect((await start('dead', { input: 3 })).json.code).toBe('IDEMPOTENCY.IN_PROGRESS');
    expect((await start('dead', { input: 4 })).json.code).toBe('IDEMPOTENCY.KEY_REUSED');
    await api.database.pool.query(
      `update idempotency_key set claimed_at = now() - interval '31 seconds' where key = 'dead'`,
    );
    expect((await start('dead', { input: 4 })).status).toBe(201);
  });

  it('holds for uploads, by the bytes they carry', async () => {
    const upload = (body: string, key = 'upload') =>
      api.call('POST', '/v1/datasets?name=d&format=csv', body, { 'content-type': 'text/csv', 'idempotency-key': key });
    const first = await upload('a\n1\n');
    const again = await upload('a\n1\n');
    expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 201, 'true']);
    expect(again.text).toBe(first.text);
    expect((await upload('a\n2\n')).json.code).toBe('IDEMPOTENCY.KEY_REUSED');
    expect((await upload('a\n1,2\n', 'bad')).status).toBe(422);
    expect((await upload('a\n1\n', 'bad')).status).toBe(201);
  });

  it('never shows the secret of an api key twice', async () => {
    const make = () => api.call('POST', '/v1/api-keys', { role: 'viewer' }, { 'idempotency-key': 'once' });
    const [first, again] = [await make(), await make()];
    expect([first.json.secret, again.json.secret]).toEqual([expect.stringMatching(/^ff_/), null]);
    expect(again.json.id).toBe(first.json.id);
    const { rows } = await api.database.pool.query('select from idempotency_key where response like $1', [
      `%${first.json.secret}%`,
    ]);
    expect(rows).toHaveLength(0);
  });
});
