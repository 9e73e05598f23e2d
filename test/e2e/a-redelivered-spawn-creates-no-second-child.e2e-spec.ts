import { SPAWN_QUEUE } from '@app/contracts/messages/queues.js';
import { openMessaging } from '@app/messaging';
import { PostgresBusStore } from '@app/persistence';
import { Metrics, silentLogger } from '@app/runtime';
import { eventually } from '../support/eventually.js';
import { fanOut, numbers } from '../support/fan-out.js';
import { inEveryMode } from '../support/in-every-mode.js';
import { testRabbitUrl } from '../support/rabbit.js';

inEveryMode(
  'a redelivered spawn',
  (stage) => {
    it('creates no second child, however often it comes and whichever orchestrator gets it', async () => {
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
        const fan = await eventually(async () => {
          const [row] = await engine.query<{ id: number }>('select id from fan_out where parent_id = $1', [id]);
          return row?.id ?? false;
        });
        await eventually(() => bus.state === 'up');
        // Twenty now, while it spawns, and twenty when all is over.
        const twenty = Array.from({ length: 20 }, () => ({ fanOut: fan }));
        await bus.publish(SPAWN_QUEUE, twenty);
        const done = await api.settled(id);
        await bus.publish(SPAWN_QUEUE, twenty);
        await eventually(async () => (await bus.depth(SPAWN_QUEUE)) === 0);
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
  { orchestrators: 2 },
);
