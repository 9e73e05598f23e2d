import { eventually } from '../support/eventually.js';
import { unexplainedCalls } from '../support/explained-calls.js';
import { fanOut, numbers } from '../support/fan-out.js';
import { inModes } from '../support/in-every-mode.js';

const ROWS = 5_000;

inModes(
  ['services over RabbitMQ', 'services without a broker'],
  'a fan-out of 5,000 rows',
  (stage) => {
    const publish = async () => {
      const name = stage.name();
      await stage.engine.api.publish(
        fanOut(name, stage.sink.url, { node: { retry: { maxAttempts: 4, initialDelay: '200ms' } } }),
      );
      return name;
    };
    const verified = async (id: string) => {
      const { engine, sink } = stage;
      const done = await engine.api.settled(id, 90_000);
      expect(done).toMatchObject({
        state: 'SUCCEEDED',
        fanOuts: [{ total: ROWS, spawned: ROWS, succeeded: ROWS, verdict: 'PASSED' }],
      });
      const children = await engine.api.children(id);
      expect(children.map(({ itemIndex }) => itemIndex)).toEqual(numbers(ROWS).map(({ n }) => n));
      expect(sink.callsByKey().size).toBe(ROWS);
      expect(await unexplainedCalls(engine, sink, id)).toEqual([]);
      return done;
    };

    it('survives the death of an executor in its middle: every row is done, every call explained', async () => {
      const { engine, sink } = stage;
      sink.answer(() => ({ delayMs: 20 }));
      const { id } = await engine.api.start(await publish(), { items: numbers(ROWS) });
      await eventually(() => expect(sink.calls.length).toBeGreaterThan(1_000));
      const victim = engine.named('executor')[0]!;
      await victim.kill();
      const atDeath = sink.calls.length;
      await verified(id);
      // What the dead one had begun, and nothing else, was called again.
      expect(sink.calls.length - ROWS).toBeLessThanOrEqual(150);
      expect(atDeath).toBeLessThan(ROWS);
      await victim.up().ready();
    }, 120_000);

    it('survives the deaths of an orchestrator while it spawns: no row twice, none missing', async () => {
      const { engine, sink } = stage;
      const { id } = await engine.api.start(await publish(), { items: numbers(ROWS) });
      const orchestrator = engine.named('orchestrator')[0]!;
      for (const part of [500, 1_500, 2_500, 3_500, 4_500]) {
        await eventually(async () => (await engine.api.execution(id)).fanOuts.some(({ spawned }) => spawned >= part), {
          timeoutMs: 30_000,
          everyMs: 5,
        });
        await orchestrator.kill();
        await orchestrator.up().ready();
      }
      await verified(id);
      expect(sink.calls).toHaveLength(ROWS);
    }, 180_000);

    it('does not notice the death of the api', async () => {
      const { engine, sink } = stage;
      const { id } = await engine.api.start(await publish(), { items: numbers(ROWS) });
      await eventually(() => expect(sink.calls.length).toBeGreaterThan(500));
      const api = engine.named('api')[0]!;
      await api.kill();
      await eventually(() => expect(sink.calls).toHaveLength(ROWS), { timeoutMs: 60_000 });
      await api.up().ready();
      await verified(id);
      expect(sink.calls).toHaveLength(ROWS);
    }, 120_000);
  },
  async () => ({
    executors: 3,
    orchestrators: 1,
    env: { SPAWN_LEAD: '500' },
    executorEnv: { EXECUTOR_LEASE_MS: '3000', EXECUTOR_HEARTBEAT_MS: '500', EXECUTOR_SLOTS: '50' },
  }),
);
