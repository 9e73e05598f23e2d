import { INTAKE_QUEUE } from '@app/contracts/messages/queues.js';
import { openMessaging } from '@app/messaging';
import { PostgresBusStore } from '@app/persistence';
import { Metrics, silentLogger } from '@app/runtime';
import { eventually } from '../support/eventually.js';
import { fanOut, numbers } from '../support/fan-out.js';
import { inEveryMode } from '../support/in-every-mode.js';
import { testRabbitUrl } from '../support/rabbit.js';

inEveryMode(
  'a spawn that is taken up twice',
  (stage) => {
    it('creates no second child, however often that is and whichever orchestrator does it', async () => {
      const { sink, engine } = stage;
      const { api } = engine;
      const store = await engine.store();
      const { bus } = openMessaging({
        rabbitmqUrl: engine.mode === 'services over RabbitMQ' ? testRabbitUrl() : undefined,
        namespace: engine.namespace,
        busStore: () => new PostgresBusStore(store, silentLogger),
        logger: silentLogger,
        metrics: new Metrics(),
      });
      try {
        const name = stage.name();
        await api.publish(fanOut(name, sink.url));
        const { id } = await api.start(name, { items: numbers(5_000) });
        await eventually(async () =>
          expect(await engine.query('select from fan_out where parent_id = $1', [id])).toHaveLength(1),
        );
        await eventually(() => bus.state === 'up');
        const twenty = Array.from({ length: 20 }, () => ({ ids: [id] }));
        // While it spawns it looks as if nobody did, so that every orchestrator's sweep goes on with it.
        const looksLeft = async () => {
          await engine.query(
            `update fan_out set moved_at = now() - interval '1 minute' where parent_id = $1 and not sealed`,
            [id],
          );
          await bus.publish(INTAKE_QUEUE, twenty);
          const [fan] = await engine.query<{ sealed: boolean }>('select sealed from fan_out where parent_id = $1', [
            id,
          ]);
          expect(fan!.sealed).toBe(true);
        };
        await eventually(looksLeft, { everyMs: 50, timeoutMs: 30_000 });
        const done = await api.settled(id);
        await bus.publish(INTAKE_QUEUE, twenty);
        await eventually(async () => (await bus.depth(INTAKE_QUEUE)) === 0);
        expect(done).toMatchObject({
          state: 'SUCCEEDED',
          fanOuts: [{ total: 5_000, spawned: 5_000, succeeded: 5_000 }],
        });
        const children = await api.children(id);
        expect(children.map(({ itemIndex }) => itemIndex)).toEqual(numbers(5_000).map(({ n }) => n));
        expect([...sink.callsByKey().values()].filter((count) => count !== 1)).toEqual([]);
        expect(sink.calls).toHaveLength(5_000);
        expect((await api.execution(id)).fanOuts).toEqual(done.fanOuts);
      } finally {
        await bus.close();
      }
    });
  },
  // Little lead, so that the spawner waits for admission again and again.
  { orchestrators: 2, env: { SPAWN_LEAD: '1000' } },
);
