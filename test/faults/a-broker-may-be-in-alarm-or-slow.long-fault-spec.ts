import { eventually } from '../support/eventually.js';
import { fanOut, numbers } from '../support/fan-out.js';
import { Gate } from '../support/gate.js';
import { inModes } from '../support/in-every-mode.js';
import { Link } from '../support/link.js';
import { startOwnRabbit, type PrivateRabbit } from '../support/rabbit.js';

const alarmMs = Number(process.env.FANFOLD_TEST_ALARM_MS || 30_000);
const bytesPerSecond = 50_000;
const many = 20_000;
const slots = 100;

let rabbit: PrivateRabbit;
let link: Link;
afterAll(async () => {
  await link?.close();
  await rabbit?.remove();
});

inModes(
  ['services over RabbitMQ'],
  'a broker that takes little',
  (stage) => {
    it('with an alarm defers fan-outs that have not begun, says so, and afterwards all is done once', async () => {
      const { engine, sink } = stage;
      const { api } = engine;
      sink.answer(() => ({ delayMs: 50 }));
      const name = stage.name();
      await api.publish(fanOut(name, `${sink.url}/items`, { spawner: { maxConcurrency: 20 } }));
      const { id } = await api.start(name, { items: numbers(2_000) });
      await eventually(() => expect(sink.calls.length).toBeGreaterThan(100));
      rabbit.control(['set_vm_memory_high_watermark', '0']);
      let late: { id: string };
      try {
        await eventually(async () =>
          expect((await api.need(200, 'GET', '/v1/pressure')).items).toMatchObject([{ kind: 'BROKER_ALARM' }]),
        );
        const askedAt = performance.now();
        late = await api.start(name, { items: numbers(300) });
        expect(performance.now() - askedAt).toBeLessThan(5_000);
        await eventually(async () =>
          expect((await api.execution(late.id)).fanOuts[0]).toMatchObject({
            deferredReason: 'BROKER_ALARM',
            spawned: 0,
          }),
        );
        const health = await fetch(`${engine.named('api')[0]!.url}/health/ready`);
        expect([health.status, /degraded/.test(await health.text())]).toEqual([200, true]);
        await new Promise((resolve) => setTimeout(resolve, alarmMs));
        expect((await api.execution(late.id)).fanOuts[0]).toMatchObject({ spawned: 0 });
      } finally {
        rabbit.control(['set_vm_memory_high_watermark', 'absolute', '1GB']);
      }
      expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 2_000 }] });
      expect(await api.settled(late.id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 300 }] });
      expect(sink.calls).toHaveLength(2_300);
      expect(sink.callsByKey().size).toBe(2_300);
    });

    it('with an alarm still hands over what it has: executors go on consuming', async () => {
      const { engine, sink } = stage;
      const { api } = engine;
      const gate = new Gate();
      sink.answer(async () => (await gate.pass(), {}));
      const name = stage.name();
      await api.publish(fanOut(name, `${sink.url}/items`));
      const { id } = await api.start(name, { items: numbers(400) });
      // Every slot is taken, and twice as many tasks are handed out: an executor takes a fifth of its slots ahead, the broker has the rest.
      await eventually(async () => {
        expect(gate.held).toBe(slots);
        expect((await api.execution(id)).fanOuts[0]!.ready).toBeGreaterThanOrEqual(1.5 * slots);
      });
      const hasAlarm = async () =>
        expect((await api.need(200, 'GET', '/v1/pressure')).items).toMatchObject([{ kind: 'BROKER_ALARM' }]);
      rabbit.control(['set_vm_memory_high_watermark', '0']);
      try {
        // A broker tells of its alarm where something is published.
        await api.publish({ name: `${name}-other`, nodes: [{ id: 'a', type: 'TRANSFORM', config: { output: 1 } }] });
        await eventually(async () => (await api.start(`${name}-other`, {}), hasAlarm()), { everyMs: 500 });
        expect(sink.calls).toHaveLength(slots);
        gate.open();
        await eventually(() => expect(sink.calls.length).toBeGreaterThanOrEqual(2 * slots));
        await hasAlarm();
      } finally {
        rabbit.control(['set_vm_memory_high_watermark', 'absolute', '1GB']);
      }
      expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 400 }] });
      expect([sink.calls.length, sink.callsByKey().size]).toEqual([400, 400]);
    });

    it('behind a narrow link slows a fan-out, and neither memory grows nor is an item lost or doubled', async () => {
      const { engine, sink } = stage;
      const { api } = engine;
      link.throttle(bytesPerSecond);
      link.cut();
      const name = stage.name();
      await api.publish(fanOut(name, `${sink.url}/items`, { spawner: { items: { dataset: '${input.dataset}' } } }));
      const rows = Array.from({ length: many }, (_, n) => `{"n":${n}}\n`).join('');
      const dataset = await api.upload('many', 'ndjson', rows);
      const { id } = await api.start(name, { dataset: dataset.id });
      const [orchestrator] = engine.named('orchestrator');
      await eventually(() => expect(sink.calls.length).toBeGreaterThan(many / 2), { timeoutMs: 120_000 });
      expect(orchestrator!.peakRssMb).toBeLessThan(350);
      expect(await api.execution(id)).toMatchObject({
        state: 'RUNNING',
        error: null,
        fanOuts: [{ verdict: 'OPEN', failed: 0 }],
      });
      await orchestrator!.kill();
      await orchestrator!.up().ready();
      const done = await api.settled(id, 240_000);
      expect(done).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ total: many, spawned: many, succeeded: many }] });
      expect(sink.callsByKey().size).toBe(many);
      expect(sink.calls).toHaveLength(many);
      expect(orchestrator!.peakRssMb).toBeLessThan(350);
    }, 400_000);
  },
  async () => {
    const own = await startOwnRabbit();
    if (!own) throw new Error('this suite needs an installed RabbitMQ of its own');
    rabbit = own;
    link = await Link.to(own.url);
    return { executors: 1, executorEnv: { EXECUTOR_SLOTS: String(slots) }, rabbitmqUrl: link.url };
  },
);
