import { begun } from '../support/begun.js';
import { eventually } from '../support/eventually.js';
import { follow } from '../support/event-stream.js';
import { fanOut, numbers } from '../support/fan-out.js';
import { inModes } from '../support/in-every-mode.js';
import { Link } from '../support/link.js';

const ITEMS = 1_500;

let link: Link;
afterAll(() => link?.close());

inModes(
  ['standalone', 'services over RabbitMQ', 'services without a broker'],
  'a database',
  (stage) => {
    const alive = () => {
      for (const one of stage.engine.processes)
        expect({ name: one.name, running: one.running }).toEqual({ name: one.name, running: true });
    };
    const run = async (fault: () => Promise<void>) => {
      const { engine, sink } = stage;
      const { api } = engine;
      sink.answer(() => ({ delayMs: 20 }));
      const name = stage.name();
      await api.publish(
        fanOut(name, sink.url, { spawner: { maxConcurrency: 20 }, node: { retry: { maxAttempts: 1 } } }),
      );
      const { id } = await api.start(name, { items: numbers(ITEMS) });
      await eventually(() => expect(sink.calls.length).toBeGreaterThan(60));
      await fault();
      expect(await api.settled(id, 60_000)).toMatchObject({
        state: 'SUCCEEDED',
        fanOuts: [{ succeeded: ITEMS, failed: 0 }],
      });
      expect(sink.callsByKey().size).toBe(ITEMS);
      alive();
      return { id, repeated: sink.calls.length - ITEMS };
    };

    it('that ends all sessions loses nothing: no process exits, no item is called twice', async () => {
      const { engine } = stage;
      const { repeated } = await run(async () => {
        for (let times = 0; times < 3; times++) {
          // They come back by themselves, to be ended again.
          const ours = `from pg_stat_activity where datname = current_database() and application_name like 'fanfold%'`;
          await eventually(async () => {
            const [row] = await engine.query<{ n: number }>(`select count(*)::int as n ${ours}`);
            expect(row!.n).toBeGreaterThan(3);
          });
          await engine.query(`select pg_terminate_backend(pid) ${ours}`);
        }
      });
      expect(repeated).toBe(0);
    }, 90_000);

    it('that is away for some seconds is met with 503 and a hint, and work and streams go on by themselves', async () => {
      const { engine } = stage;
      let streamed: ReturnType<typeof follow> | undefined;
      const { id } = await run(async () => {
        const [newest] = await engine.api.all<{ id: string }>('/v1/executions');
        let frames = 0;
        streamed = begun(
          follow(engine.api, newest!.id, (count) => {
            frames = count;
            return false;
          }),
        );
        await eventually(() => frames > 0);
        link.down();
        const refused = await eventually(async () => {
          const reply = await engine.api.call('GET', `/v1/executions/${newest!.id}`);
          expect(reply.status).toBe(503);
          return reply;
        });
        expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
        expect(refused.text).not.toMatch(/ at .*\.js|ECONN|select /);
        await eventually(async () => {
          const health = await fetch(`${engine.named('orchestrator')[0]!.url}/health/ready`);
          expect(health.status).toBe(503);
        });
        link.restore();
      });
      const frames = await streamed!;
      expect(frames.at(-1)).toMatchObject({ event: 'end', data: { state: 'SUCCEEDED' } });
      const told = frames.filter(({ event }) => event === 'state' || event === 'node').map(({ data }) => data.seq);
      const history = (await engine.api.events(id)).map(({ seq }) => seq);
      expect(told).toEqual(history.filter((seq) => seq > frames[0]!.id!));
    }, 120_000);
  },
  async () => {
    await link?.close();
    link = await Link.to(process.env.FANFOLD_TEST_DATABASE_URL!);
    return {
      through: (_, url) => {
        const by = new URL(url);
        const way = new URL(link.url);
        by.hostname = way.hostname;
        by.port = way.port;
        return by.href;
      },
    };
  },
);
