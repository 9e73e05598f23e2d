import { fanOut, numbers } from '../support/fan-out.js';
import { inModes } from '../support/in-every-mode.js';

const PARENTS = 10;
const EACH = 100;
/** How much longer it may take while cancels, redrives, lists and deletions go on all the time on the same few cores. */
const FACTOR = 6;

inModes(
  ['services over RabbitMQ', 'services without a broker'],
  'children that finish all at once',
  (stage) => {
    it('cost nobody an attempt while others are cancelled, redriven, listed and deleted beside them', async () => {
      const { sink, engine } = stage;
      const { api } = engine;
      let broken = false;
      sink.answer(({ path }) => ({ status: path === '/brittle' && broken ? 400 : 200 }));
      const inner = stage.name();
      await api.publish(fanOut(inner, `${sink.url}/main`, { spawner: { items: '${input.list}' } }));
      const main = stage.name();
      await api.publish({
        name: main,
        nodes: [
          { id: 'fan', type: 'SPAWNER', config: { items: '${input.items}', pipeline: inner } },
          { id: 'join', type: 'MERGE', config: {} },
        ],
        edges: [{ from: 'fan', to: 'join' }],
      });
      const [cancelled, brittle] = [stage.name(), stage.name()] as const;
      await api.publish(fanOut(cancelled, `${sink.url}/cancelled`));
      await api.publish(fanOut(brittle, `${sink.url}/brittle`));
      const input = {
        items: Array.from({ length: PARENTS }, (_, parent) => ({ list: numbers(EACH).map(({ n }) => [parent, n]) })),
      };
      const run = async () => {
        const from = performance.now();
        const done = await api.run(main, input, 120_000);
        return { done, ms: performance.now() - from };
      };
      await run();
      const alone = await run();

      broken = true;
      const failed = (await api.run(brittle, { items: numbers(200) })).id;
      broken = false;
      let isOver = false;
      const turns = { cancels: 0, redrives: 0, lists: 0, deletions: 0 };
      const until = async (kind: keyof typeof turns, work: () => Promise<unknown>) => {
        while (!isOver) {
          await work();
          turns[kind] += 1;
        }
      };
      sink.calls.length = 0;
      const others = [
        until('cancels', async () => {
          const { id } = await api.start(cancelled, { items: numbers(100) });
          // it may have ended before
          await api.call('POST', `/v1/executions/${id}/cancel`, {});
        }),
        until('redrives', async () => {
          broken = !broken;
          await api.call('POST', `/v1/executions/${failed}/redrive`, { state: ['FAILED', 'CANCELLED'] });
          await api.settled(failed);
        }),
        until('lists', async () => {
          const rows = await api.need(200, 'GET', '/v1/executions?limit=200');
          const page = await api.call('GET', `/v1/executions/${rows.items[0].id}/children?limit=200`);
          // it may be deleted by now
          expect([200, 404]).toContain(page.status);
        }),
        until('deletions', async () => {
          const { items } = await api.need(200, 'GET', `/v1/executions?pipeline=${cancelled}&state=CANCELLED&limit=5`);
          for (const { id } of items as { id: string }[]) await api.call('DELETE', `/v1/executions/${id}`);
        }),
      ];
      const busy = await run().finally(() => (isOver = true));
      await Promise.all(others);
      const calls = sink.calls.filter(({ path }) => path === '/main').length;
      const [attempts] = await engine.query<{ most: number; charged: number }>(
        `select max(t.attempt) as most, max(t.charged) as charged
         from fan_out f
         join task t on t.execution_id between fan_out_first_child(f.root_id, f.id) and fan_out_last_child(f.root_id, f.id)
         where f.root_id = $1 and t.incarnation is not null`,
        [busy.done.id],
      );
      const figures = { aloneMs: Math.round(alone.ms), busyMs: Math.round(busy.ms), ...turns, calls, ...attempts };
      process.stdout.write(`${JSON.stringify(figures)}\n`);
      expect(busy.done).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: PARENTS }] });
      expect(figures).toMatchObject({ calls: PARENTS * EACH, most: 1, charged: 1 });
      for (const count of Object.values(turns)) expect(count).toBeGreaterThan(0);
      expect(busy.ms).toBeLessThan(Math.max(FACTOR * alone.ms, 5_000));
    }, 200_000);
  },
  () => Promise.resolve({ orchestrators: 2, executors: 4 }),
);
