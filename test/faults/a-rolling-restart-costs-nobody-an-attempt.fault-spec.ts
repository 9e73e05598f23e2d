import { eventually } from '../support/eventually.js';
import { fanOut, numbers } from '../support/fan-out.js';
import { inModes } from '../support/in-every-mode.js';

inModes(
  ['services over RabbitMQ', 'services without a broker'],
  'a rolling restart',
  (stage) => {
    it('lets calls end, fails nothing, and calls every item once', async () => {
      const { engine, sink } = stage;
      const { api } = engine;
      sink.answer(() => ({ delayMs: 300 }));
      const name = stage.name();
      await api.publish(fanOut(name, sink.url, { node: { retry: { maxAttempts: 1 } } }));
      const { id } = await api.start(name, { items: numbers(500) });
      for (const one of engine.processes) {
        const seen = sink.calls.length;
        await one.stop(20_000);
        await one.up().ready();
        await eventually(() => sink.calls.length > Math.min(499, seen), { timeoutMs: 20_000 });
      }
      const done = await api.settled(id, 60_000);
      expect(done).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 500, failed: 0 }] });
      expect([...sink.callsByKey().values()].filter((count) => count !== 1)).toEqual([]);
      for (const one of engine.processes) expect(one.log).not.toMatch(/[Uu]nhandled/);
    }, 120_000);

    it('hands calls that outlast the grace back without charging them', async () => {
      const { engine, sink } = stage;
      const { api } = engine;
      let slow = true;
      sink.answer(() => (slow ? { delayMs: 60_000 } : {}));
      const name = stage.name();
      await api.publish(fanOut(name, sink.url, { node: { retry: { maxAttempts: 1 }, timeout: '2m' } }));
      const { id } = await api.start(name, { items: numbers(4) });
      await eventually(() => expect(sink.inFlight).toBe(4));
      const executors = engine.named('executor');
      slow = false;
      await Promise.all(executors.map((one) => one.stop(20_000)));
      await Promise.all(executors.map((one) => one.up().ready()));
      expect(await api.settled(id, 30_000)).toMatchObject({
        state: 'SUCCEEDED',
        fanOuts: [{ succeeded: 4, failed: 0 }],
      });
      for (const child of await api.children(id)) {
        const attempts = await api.attempts(child.id);
        expect(attempts.filter(({ charged }) => charged)).toHaveLength(1);
      }
      expect(sink.calls).toHaveLength(8);
    }, 60_000);
  },
  async () => ({
    executors: 2,
    orchestrators: 2,
    executorEnv: { EXECUTOR_SLOTS: '10' },
    env: { SHUTDOWN_GRACE_MS: '8000' },
  }),
);
