import { eventually } from '../support/eventually.js';
import { fanOut } from '../support/fan-out.js';
import { inModes } from '../support/in-every-mode.js';

inModes(
  ['services over RabbitMQ', 'standalone'],
  'more items than Postgres takes parameters',
  (stage) => {
    const upload = (count: number) =>
      stage.engine.api.upload(
        `items-${count}`,
        'ndjson',
        Array.from({ length: count }, (_, n) => `{"n":${n}}\n`).join(''),
      );
    const publish = async (of: string) => {
      const name = stage.name();
      await stage.engine.api.publish(
        fanOut(name, `${stage.sink.url}/${of}`, { spawner: { items: { dataset: '${input.dataset}' } } }),
      );
      return name;
    };

    it('70,000 become 70,000 children, each called once', async () => {
      const { engine, sink } = stage;
      const dataset = await upload(70_000);
      const done = await engine.api.run(await publish('all'), { dataset: dataset.id }, 300_000);
      expect(done).toMatchObject({
        state: 'SUCCEEDED',
        fanOuts: [{ total: 70_000, spawned: 70_000, succeeded: 70_000 }],
      });
      expect(sink.calls).toHaveLength(70_000);
      expect(sink.callsByKey().size).toBe(70_000);
    }, 330_000);

    it('20,000 failed ones are redriven with one command, and each runs once more', async () => {
      const { engine, sink } = stage;
      const { api } = engine;
      let broken = true;
      sink.answer(() => ({ status: broken ? 400 : 200 }));
      const dataset = await upload(20_000);
      const failed = await api.run(await publish('redriven'), { dataset: dataset.id }, 120_000);
      expect(failed).toMatchObject({ state: 'FAILED', fanOuts: [{ failed: 20_000 }] });
      broken = false;
      expect(await api.redrive(failed.id, { state: ['FAILED'] })).toEqual({ matched: 20_000, redriven: 20_000 });
      await eventually(
        async () =>
          expect(await api.execution(failed.id)).toMatchObject({
            state: 'SUCCEEDED',
            fanOuts: [{ succeeded: 20_000, failed: 0 }],
          }),
        { timeoutMs: 120_000, everyMs: 250 },
      );
      expect(sink.calls).toHaveLength(40_000);
    }, 300_000);

    it('20,000 open ones are cancelled with one command, and none of them starts', async () => {
      const { engine, sink } = stage;
      const { api } = engine;
      sink.answer(() => ({ delayMs: 1_000 }));
      const dataset = await upload(20_000);
      const { id } = await api.start(await publish('cancelled'), { dataset: dataset.id });
      await eventually(async () => expect((await api.execution(id)).fanOuts[0]).toMatchObject({ spawned: 20_000 }), {
        timeoutMs: 60_000,
      });
      await api.act(id, 'cancel');
      const calls = sink.calls.length;
      await eventually(
        async () => expect(await api.execution(id)).toMatchObject({ state: 'CANCELLED', openDescendants: 0 }),
        { timeoutMs: 60_000 },
      );
      const [fan] = (await api.execution(id)).fanOuts;
      expect(fan!.succeeded + fan!.cancelled).toBe(20_000);
      // Calls that had left the executor before the answer.
      expect(sink.calls.length - calls).toBeLessThanOrEqual(200);
    }, 150_000);
  },
  async () => ({}),
);
