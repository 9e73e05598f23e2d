import { eventually } from '../support/eventually.js';
import { fanOut, numbers } from '../support/fan-out.js';
import { Gate } from '../support/gate.js';
import { inEveryMode, inModes, type Stage } from '../support/in-every-mode.js';

const byNumber = ([a]: unknown[], [b]: unknown[]) => Number(a) - Number(b);

/** Spawners that post each item by a child of `<name>-child`, side by side. */
const publish = async ({ engine, sink }: Stage, name: string, spawners: readonly string[], items: unknown) => {
  await engine.api.publish({
    name: `${name}-child`,
    nodes: [{ id: 'call', type: 'HTTP', config: { method: 'POST', url: sink.url, body: '${input}' } }],
  });
  await engine.api.publish({
    name,
    nodes: spawners.map((id) => ({ id, type: 'SPAWNER', config: { items, pipeline: `${name}-child` } })),
  });
};

inEveryMode('a quota of children', (stage) => {
  it('is judged over the whole list before its first child, and again when it was raised', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    const name = stage.name();
    await api.publish(fanOut(name, sink.url));
    await api.need([200, 201], 'PUT', `/v1/quotas/${name}`, { maxChildrenPerFanOut: 100 });
    expect(await api.run(name, { items: numbers(100) })).toMatchObject({ state: 'SUCCEEDED' });
    const refused = await api.run(name, { items: numbers(101) });
    expect(refused).toMatchObject({
      state: 'FAILED',
      error: { class: 'QUOTA_EXCEEDED', code: 'QUOTA.EXCEEDED', nodeId: 'fan' },
      fanOuts: [{ total: 101, spawned: 0 }],
    });
    expect(sink.calls).toHaveLength(100);
    await api.need([200, 201], 'PUT', `/v1/quotas/${name}`, { maxChildrenPerFanOut: 101 });
    await api.act(refused.id, 'retry');
    expect(await api.settled(refused.id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 101 }] });
  });
});

inEveryMode('a quota of open executions', (stage) => {
  it('counts children before they are born: 100 are within it, 101 and 100,000 have no first child', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    const name = stage.name();
    await publish(stage, name, ['fan'], { dataset: '${input.dataset}' });
    await api.need(200, 'PUT', `/v1/quotas/${name}-child`, { maxOpenExecutions: 100 });
    const run = async (items: number) =>
      api.run(name, { dataset: (await api.upload(`${name}-${items}`, 'ndjson', '1\n'.repeat(items))).id });
    expect(await run(100)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 100 }] });
    for (const total of [101, 100_000]) {
      const refused = await run(total);
      expect(refused).toMatchObject({
        state: 'FAILED',
        error: {
          class: 'QUOTA_EXCEEDED',
          code: 'QUOTA.EXCEEDED',
          nodeId: 'fan',
          scope: `${name}-child`,
          limit: 100,
          open: 0,
          total,
        },
        fanOuts: [{ total, spawned: 0 }],
      });
      expect(await api.children(refused.id)).toEqual([]);
    }
    expect(sink.calls).toHaveLength(100);
    await api.need(202, 'DELETE', `/v1/quotas/${name}-child`);
    expect(await run(101)).toMatchObject({ state: 'SUCCEEDED' });
  });
});

/** Holds the quota of a scope until two that are to be judged by it stand before it. */
const atOnce = async <T>({ engine }: Stage, scope: string, begin: () => Promise<T>): Promise<T> => {
  const client = await (await engine.store()).pool.connect();
  try {
    await client.query('begin');
    await client.query('select from quota where scope = $1 for update', [scope]);
    const begun = await begin();
    await eventually(async () => {
      const [row] = await engine.query<{ n: number }>(
        `select count(*)::integer as n from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%from quota%'`,
      );
      expect(row!.n).toBeGreaterThanOrEqual(2);
    });
    return begun;
  } finally {
    await client.query('rollback');
    client.release();
  }
};

inModes(
  ['services over RabbitMQ', 'services without a broker'],
  'a quota over two orchestrators',
  (stage) => {
    it.each([1, 2, 3])('lets one of two spawners have its 60 children of 100, the other none (%i)', async () => {
      const { sink, engine } = stage;
      const { api } = engine;
      const name = stage.name();
      const gate = new Gate();
      sink.answer(async () => (await gate.pass(), {}));
      await publish(stage, name, ['one', 'two'], '${input.items}');
      await api.need(200, 'PUT', `/v1/quotas/${name}-child`, { maxOpenExecutions: 100 });
      const { id } = await atOnce(stage, `${name}-child`, () => api.start(name, { items: numbers(60) }));
      await eventually(async () => {
        const { fanOuts } = await api.execution(id);
        expect(fanOuts.map(({ spawned, verdict }) => [spawned, verdict]).sort(byNumber)).toEqual([
          [0, 'FAILED'],
          [60, 'OPEN'],
        ]);
      });
      gate.open();
      const failed = await api.settled(id);
      expect(failed).toMatchObject({
        state: 'FAILED',
        error: { class: 'QUOTA_EXCEEDED', limit: 100, open: 60, total: 60 },
      });
      expect(sink.calls).toHaveLength(60);
      // Judged anew, as there is room now.
      await api.act(id, 'retry');
      expect(await api.settled(id)).toMatchObject({
        state: 'SUCCEEDED',
        fanOuts: [{ succeeded: 60 }, { succeeded: 60 }],
      });
      expect(sink.calls).toHaveLength(120);
    });

    it.each([1, 2, 3])('lets one of two executions have its 60 children of 100, the other none (%i)', async () => {
      const { sink, engine } = stage;
      const { api } = engine;
      const name = stage.name();
      const gate = new Gate();
      sink.answer(async () => (await gate.pass(), {}));
      await publish(stage, name, ['fan'], '${input.items}');
      await api.need(200, 'PUT', `/v1/quotas/${name}-child`, { maxOpenExecutions: 100 });
      const started = await atOnce(stage, `${name}-child`, () =>
        Promise.all([1, 2].map(() => api.start(name, { items: numbers(60) }))),
      );
      await eventually(async () => {
        const both = await Promise.all(started.map(({ id }) => api.execution(id)));
        expect(both.map(({ state, fanOuts }) => [fanOuts[0]?.spawned, state]).sort(byNumber)).toEqual([
          [0, 'FAILED'],
          [60, 'RUNNING'],
        ]);
      });
      // Whoever starts one is under the same quota, and counts the same.
      await api.need(200, 'PUT', '/v1/quotas/all', { maxOpenExecutions: 61 });
      expect(await api.call('POST', `/v1/pipelines/${name}/executions`, { input: { items: [] } })).toMatchObject({
        status: 409,
        json: { code: 'QUOTA.EXCEEDED', scope: 'all', limit: 61, open: 61 },
      });
      await api.need(202, 'DELETE', '/v1/quotas/all');
      gate.open();
      await Promise.all(started.map(({ id }) => api.settled(id)));
      expect(sink.calls).toHaveLength(60);
    });
  },
  async () => ({ orchestrators: 2 }),
);
