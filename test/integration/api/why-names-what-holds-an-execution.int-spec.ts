import { apiUnderTest, fanOutDefinition, type ApiUnderTest } from './api-under-test.js';
import { seedFanOut } from './seeded-fan-out.js';

describe('why names what holds an execution', () => {
  let api: ApiUnderTest;
  let parent: string;
  let ids: string[];
  beforeAll(async () => {
    api = await apiUnderTest();
    await api.call('POST', '/v1/pipelines', fanOutDefinition('held'));
    parent = (await api.call('POST', '/v1/pipelines/held/executions', {})).json.id;
  });
  afterAll(() => api.close());

  const why = async (id: string) => (await api.call('GET', `/v1/executions/${id}/why`)).json.reason as string;
  const sql = (text: string, values: unknown[] = []) => api.database.pool.query(text, values);

  it('from the first moment to the last', async () => {
    expect(await why(parent)).toBe('WAITING_FOR');
    ids = await seedFanOut(api.database, parent, [
      { state: 'running' },
      { state: 'pending' },
      { state: 'succeeded', output: '1' },
    ]);
    expect(await why(ids[2]!)).toBe('SETTLED');
    expect(await why(ids[1]!)).toBe('NO_EXECUTOR');
    await sql(
      `insert into executor (name, slots, free_slots, queues, node_types, lease_ms, heartbeat_ms) values ('x', 1, 1, '{default}', '{SHELL}', 1, 1)`,
    );
    // one of a release that does not perform the node
    expect((await api.call('GET', `/v1/executions/${ids[1]}/why`)).json).toEqual({
      reason: 'NO_EXECUTOR',
      detail: 'no live executor serves the queue default and can perform HTTP',
    });
    await sql(`update executor set node_types = '{SHELL,HTTP}'`);
    expect(await why(ids[1]!)).toBe('WAITING_FOR');
    await sql(`insert into destination (name, host, max_concurrency) values ('d', '127.0.0.1:9', 1)`);
    await sql(
      `insert into destination_holder (batch_id, destination_id, incarnation, node, ids) select 1, id, 1, 0, array[$1::uuid] from destination`,
      [ids[0]],
    );
    expect(await why(ids[1]!)).toBe('DESTINATION_LIMIT');
    await sql('update fan_out set max_concurrency = 1');
    await sql('update fan_out_admission set opened = 1');
    expect(await why(ids[1]!)).toBe('FAN_OUT_LIMIT');
    await sql(
      `insert into task (execution_id, node, state, attempt) values ($1, 0, 'running', 1), ($2, 0, 'waiting', 1)`,
      [ids[0], parent],
    );
    expect(await why(ids[0]!)).toBe('RUNNING');
    await sql(`update task set state = 'pending' where execution_id = $1`, [ids[0]]);
    await sql(
      `insert into comeback (execution_id, node, queue, root_id, version_id, child_path, priority, available_at)
       values ($1, 0, 'default', $2, 1, '{}', 5, now() + interval '1 minute')`,
      [ids[0], parent],
    );
    expect(await why(ids[0]!)).toBe('RETRY_AT');
    const met = (code: string, destination: string) =>
      sql('update task set error = $2 where execution_id = $1', [ids[0], JSON.stringify({ code, destination })]);
    const told = async () => (await api.call('GET', `/v1/executions/${ids[0]}/why`)).json;
    await sql(`insert into destination (name, host, paused_at) values ('h', 'item.example', now())`);
    await sql(`insert into destination (name, implicit, paused_at) values ('host:other.example', true, now())`);
    await met('DESTINATION.PAUSED', 'item.example:8443');
    expect(await told()).toMatchObject({ reason: 'PAUSED', destination: 'h', nodeId: 'fan' });
    await met('DESTINATION.PAUSED', 'other.example:443');
    expect(await told()).toMatchObject({ reason: 'PAUSED', destination: 'host:other.example' });
    await met('DESTINATION.PAUSED', 'other.example:8080');
    expect(await why(ids[0]!)).toBe('RETRY_AT');
    await met('DESTINATION.FULL', '127.0.0.1:9');
    expect(await told()).toMatchObject({ reason: 'DESTINATION_LIMIT', destination: 'd', limit: 'concurrency' });
    await sql('delete from destination_holder');
    expect(await why(ids[0]!)).toBe('RETRY_AT');
    await sql(`insert into mark (execution_id, root_id, kind, from_state) values ($1, $1, 'pause', 'running')`, [
      parent,
    ]);
    expect([await why(ids[0]!), await why(parent)]).toEqual(['PAUSED', 'PAUSED']);
  });
});
