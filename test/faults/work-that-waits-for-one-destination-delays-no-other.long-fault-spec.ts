import { eventually } from '../support/eventually.js';
import { fanOut, numbers } from '../support/fan-out.js';
import { Gate } from '../support/gate.js';
import { inModes } from '../support/in-every-mode.js';

const blocked = 20_000;

inModes(
  ['services over RabbitMQ', 'services without a broker'],
  'twenty thousand tasks that wait for one destination',
  (stage) => {
    it('delay nobody who does not, and the search for due work stays short', async () => {
      const { sink, engine } = stage;
      const { api } = engine;
      const gate = new Gate();
      sink.answer(async ({ path }) => (path === '/slow' ? (await gate.pass(), {}) : {}));
      const slow = stage.name();
      await api.limit(slow, { maxConcurrency: 1 });
      const [large, child, quick, same] = [stage.name(), stage.name(), stage.name(), stage.name()] as const;
      await api.publish({
        name: child,
        nodes: [
          { id: 'first', type: 'HTTP', config: { method: 'POST', url: `${sink.url}/first` } },
          { id: 'slow', type: 'HTTP', config: { method: 'POST', url: `${sink.url}/slow` }, destinations: [slow] },
        ],
        edges: [{ from: 'first', to: 'slow' }],
      });
      await api.publish({
        name: large,
        nodes: [{ id: 'fan', type: 'SPAWNER', config: { items: { dataset: '${input.dataset}' }, pipeline: child } }],
      });
      await api.publish(fanOut(quick, `${sink.url}/quick`));
      await api.publish(fanOut(same, `${sink.url}/same`, { node: { destinations: [slow] } }));
      const run = async () => {
        const from = performance.now();
        expect(await api.run(quick, { items: numbers(10) })).toMatchObject({ state: 'SUCCEEDED' });
        return performance.now() - from;
      };
      await run();
      const alone = Math.min(await run(), await run(), await run());

      const dataset = await api.upload('blocked', 'ndjson', '1\n'.repeat(blocked));
      const { id } = await api.start(large, { dataset: dataset.id });
      await eventually(
        async () => {
          const [row] = await engine.query<{ n: number }>('select count(*)::integer as n from comeback');
          expect(row!.n).toBeGreaterThan(blocked - 100);
        },
        { timeoutMs: 120_000, everyMs: 250 },
      );
      expect(gate.held).toBe(1);
      const beside = [await run(), await run(), await run()];
      const figures = { aloneMs: Math.round(alone), besideMs: beside.map(Math.round) };
      process.stderr.write(`ten children beside ${blocked} that wait: ${JSON.stringify(figures)}\n`);
      expect(Math.min(...beside)).toBeLessThan(2 * alone + 500);

      // Who wants the same destination has a share of it long before the large one is done.
      gate.open();
      expect(await api.run(same, { items: numbers(10) })).toMatchObject({ state: 'SUCCEEDED' });
      expect((await api.execution(id)).fanOuts[0]!.succeeded).toBeLessThan(blocked / 2);
      await api.act(id, 'cancel');
      await eventually(async () => expect((await api.execution(id)).openDescendants).toBe(0), { timeoutMs: 60_000 });
    }, 240_000);
  },
  async () => ({ env: { BACKLOG_THRESHOLD: '1000000' } }),
);
