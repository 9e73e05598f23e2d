import amqp from 'amqplib';
import { eventually } from '../support/eventually.js';
import { fanOut, numbers } from '../support/fan-out.js';
import { inModes } from '../support/in-every-mode.js';
import type { PrivateRabbit } from '../support/rabbit.js';
import { startOwnRabbit } from '../support/rabbit.js';

let rabbit: PrivateRabbit;
afterAll(() => rabbit?.remove());

inModes(
  ['services over RabbitMQ'],
  'a broker',
  (stage) => {
    const publish = async () => {
      const name = stage.name();
      await stage.engine.api.publish(fanOut(name, `${stage.sink.url}/item`, { spawner: { maxConcurrency: 10 } }));
      return name;
    };
    const ready = async (role: 'api' | 'orchestrator' | 'executor') =>
      fetch(`${stage.engine.named(role)[0]!.url}/health/ready`).then(async (r) => [r.status, await r.text()] as const);
    const green = () =>
      eventually(
        async () => {
          for (const role of ['api', 'orchestrator', 'executor'] as const) expect((await ready(role))[0]).toBe(200);
        },
        { timeoutMs: 40_000, everyMs: 100 },
      );

    it('that goes and comes back costs no work: readiness tells, and every accepted run is done once', async () => {
      const { engine, sink } = stage;
      const { api } = engine;
      const name = await publish();
      // A broker that is killed within a second of a queue's declaration may lose the queue's own log, and never serves it
      // again; here the queues have served.
      await api.run(name, { items: numbers(200) });
      sink.reset();
      sink.answer(() => ({ delayMs: 30 }));
      const { id } = await api.start(name, { items: numbers(200) });
      await eventually(() => expect(sink.calls.length).toBeGreaterThan(20));
      await rabbit.kill();
      await eventually(async () => {
        expect((await ready('orchestrator'))[0]).toBe(503);
        expect((await ready('executor'))[0]).toBe(503);
      });
      const [status, body] = await ready('api');
      expect([status, body]).toEqual([200, expect.stringContaining('degraded')]);
      // Started while there is no broker; the api dies before it is back.
      const started = await Promise.all(Array.from({ length: 20 }, () => api.start(name, { items: numbers(3) })));
      const front = engine.named('api')[0]!;
      await front.kill();
      await rabbit.up();
      await front.up().ready();
      await green();
      for (const one of [...started, { id }])
        expect(await api.settled(one.id, 60_000)).toMatchObject({ state: 'SUCCEEDED' });
      expect(sink.calls).toHaveLength(200 + 60);
      expect([...sink.callsByKey().values()].filter((count) => count !== 1)).toEqual([]);
    }, 150_000);

    it('whose work queues are deleted has them again, with their consumers', async () => {
      const { engine, sink } = stage;
      const { api } = engine;
      sink.answer(() => ({ delayMs: 30 }));
      const name = await publish();
      const { id } = await api.start(name, { items: numbers(200) });
      await eventually(() => expect(sink.calls.length).toBeGreaterThan(20));
      const connection = await amqp.connect(rabbit.url);
      const channel = await connection.createChannel();
      for (const queue of ['task_ready__default', 'task_recorded', 'execution_intake'])
        await channel.deleteQueue(`${engine.namespace}_${queue}`);
      await connection.close();
      expect(await api.settled(id, 60_000)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 200 }] });
      expect(sink.calls).toHaveLength(200);
      await green();
      for (const one of engine.processes) expect(one.log).not.toMatch(/[Uu]nhandled/);
    }, 90_000);

    it('whose connections are closed from its side is used again at once', async () => {
      const { engine, sink } = stage;
      sink.answer(() => ({ delayMs: 30 }));
      const name = await publish();
      const { id } = await engine.api.start(name, { items: numbers(200) });
      await eventually(() => expect(sink.calls.length).toBeGreaterThan(20));
      rabbit.control(['close_all_connections', 'maintenance']);
      expect(await engine.api.settled(id, 60_000)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 200 }] });
      expect(sink.calls).toHaveLength(200);
      await green();
    }, 90_000);
  },
  async () => {
    const own = await startOwnRabbit();
    if (!own) throw new Error('this needs an installed RabbitMQ server, to stop and start it');
    rabbit = own;
    return { rabbitmqUrl: rabbit.url };
  },
);
