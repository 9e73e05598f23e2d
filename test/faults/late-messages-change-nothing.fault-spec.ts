import { INTAKE_QUEUE, RECORDED_QUEUE, taskQueue, ABORT_TOPIC, SETTLED_TOPIC } from '@app/contracts/messages/queues.js';
import { openMessaging } from '@app/messaging';
import { PostgresBusStore } from '@app/persistence';
import { Metrics, silentLogger } from '@app/runtime';
import { eventually } from '../support/eventually.js';
import { fanOut, numbers } from '../support/fan-out.js';
import { inModes } from '../support/in-every-mode.js';
import { testRabbitUrl } from '../support/rabbit.js';

inModes(
  ['services without a broker', 'services over RabbitMQ'],
  'messages that come late, for executions that have ended,',
  (stage) => {
    it('are taken once each and change nothing', async () => {
      const { engine, sink } = stage;
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
        sink.answer(({ body }) => ({ status: (JSON.parse(body) as { n: number }).n === 3 ? 400 : 200 }));
        const name = stage.name();
        await api.publish(fanOut(name, sink.url));
        const succeeded = await api.run(name, { items: numbers(3) });
        const failed = await api.run(name, { items: numbers(5) });
        const holding = await api.start(name, { items: numbers(3) });
        await api.act(holding.id, 'cancel').catch(() => undefined);
        const cancelled = await api.settled(holding.id);
        const removed = await api.run(name, { items: numbers(2) });
        const fans = await engine.query<{ id: number; root_id: string; version_id: number; parent_id: string }>(
          'select f.id, f.root_id, f.parent_id, e.version_id from fan_out f join execution e on e.id = f.parent_id',
        );
        const states = [succeeded, failed, cancelled];
        await api.need(202, 'DELETE', `/v1/executions/${removed.id}`);
        await eventually(async () => expect((await api.call('GET', `/v1/executions/${removed.id}`)).status).toBe(404));
        await eventually(async () => expect((await api.execution(cancelled.id)).openDescendants).toBe(0));
        const look = async () =>
          Promise.all(
            states.map(async ({ id }) => [await api.execution(id), await api.events(id), await api.children(id)]),
          );
        const before = await look();
        const calls = sink.calls.length;
        const ids = [...states.map(({ id }) => id), removed.id];
        for (let again = 0; again < 3; again++) {
          await bus.publish(INTAKE_QUEUE, [{ ids }]);
          await bus.publish(
            RECORDED_QUEUE,
            Array.from({ length: 30 }, (_, batch) => ({ batch: batch + 1, plain: batch % 2 === 0 })),
          );
          await bus.publish(
            taskQueue('default'),
            fans.map((fan, index) => ({
              handout: index + 1,
              queue: 'default',
              root: fan.root_id,
              parent: fan.parent_id,
              fanOut: fan.id,
              version: fan.version_id,
              path: [0],
              node: 0,
              size: 3,
              range: true,
              suspect: false,
              destinations: [],
            })),
          );
          await bus.signal(ABORT_TOPIC, { ids, roots: ids });
          await bus.signal(SETTLED_TOPIC, { ids });
        }
        for (const queue of [INTAKE_QUEUE, RECORDED_QUEUE, taskQueue('default')])
          await eventually(async () => expect(await bus.depth(queue)).toBe(0));
        // A witness that goes the whole way after them.
        expect(await api.run(name, { items: [{ n: 1 }] })).toMatchObject({ state: 'SUCCEEDED' });
        expect(await look()).toEqual(before);
        expect(sink.calls.length).toBe(calls + 1);
        expect((await api.call('GET', `/v1/executions/${removed.id}`)).status).toBe(404);
      } finally {
        await bus.close();
      }
    });
  },
);
