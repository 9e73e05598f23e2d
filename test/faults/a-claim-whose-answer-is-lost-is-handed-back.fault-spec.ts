import { eventually } from '../support/eventually.js';
import { fanOut, numbers, quickRetry } from '../support/fan-out.js';
import { inModes } from '../support/in-every-mode.js';
import { Link } from '../support/link.js';

let link: Link;
afterAll(() => link?.close());

inModes(
  ['services over RabbitMQ', 'services without a broker'],
  'a claim whose answer is lost',
  (stage) => {
    it.each([
      ['as the connection breaks', 'loseAnswer'],
      ['on a connection that goes silent', 'goSilent'],
    ] as const)(
      '%s is handed back uncharged, and every item is called once',
      async (_, how) => {
        const { engine, sink } = stage;
        const { api } = engine;
        let lost = 0;
        // The commit of every fifth claim: the database has it, the executor does not learn of it.
        let claims = 0;
        link.listen((said, connection) => {
          if (/claim-(range|list)/.test(said)) connection.memory.claims = true;
          if (connection.memory.claims && /commit/i.test(said)) {
            connection.memory.claims = false;
            claims += 1;
            if (claims % 5 !== 1 || lost >= 4) return;
            lost += 1;
            connection[how]();
          }
        });
        const name = stage.name();
        await api.publish(fanOut(name, sink.url, { node: { retry: { maxAttempts: 1 } } }));
        const done = await api.run(name, { items: numbers(1_000) }, 60_000);
        expect(lost).toBeGreaterThan(0);
        expect(done).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 1_000 }] });
        expect(sink.callsByKey().size).toBe(1_000);
        expect(sink.calls).toHaveLength(1_000);
        const tasks = await engine.query<{ charged: number; attempt: number }>(
          `select t.charged, t.attempt from fan_out f join task t on t.execution_id between fan_out_first_child(f.root_id, f.id) and fan_out_last_child(f.root_id, f.id) where f.parent_id = $1`,
          [done.id],
        );
        expect(tasks.filter(({ attempt }) => attempt > 1).length).toBeGreaterThan(0);
        expect(tasks.filter(({ charged }) => charged > 1)).toEqual([]);
      },
      90_000,
    );

    it('comes when the lease is lost, and is not performed: the next attempt makes the only call', async () => {
      const { engine, sink } = stage;
      const { api } = engine;
      const executor = engine.named('executor')[0]!;
      const losses = () => executor.log.split('lease lost').length;
      const before = losses();
      let frozen = false;
      link.listen((said, connection) => {
        if (/claim-(range|list)/.test(said)) connection.memory.claims = true;
        if (frozen || !connection.memory.claims || !/commit/i.test(said)) return;
        // The database has heard it; what it answers waits, as do all beats, until the holder trusts its lease no more.
        frozen = true;
        link.freeze();
      });
      const name = stage.name();
      await api.publish(fanOut(name, sink.url, { node: { retry: quickRetry() } }));
      const { id } = await api.start(name, { items: numbers(1) });
      await eventually(() => expect(losses()).toBeGreaterThan(before), { timeoutMs: 20_000 });
      link.restore();
      expect(await api.settled(id, 40_000)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 1 }] });
      expect(sink.calls.map(({ headers }) => headers['x-execution-id'])).toEqual([expect.stringMatching(/-2$/)]);
    }, 90_000);
  },
  behindALink,
);

inModes(
  ['services over RabbitMQ'],
  'a claim that is answered after its cancel',
  (stage) => {
    it('makes no call, though it was committed before', async () => {
      const { engine, sink } = stage;
      const { api } = engine;
      let letThrough: (() => void) | undefined;
      link.listen((said, connection) => {
        if (/claim-(range|list)/.test(said)) connection.memory.claims = true;
        if (connection.memory.claims && /commit/i.test(said)) letThrough ??= connection.hold();
      });
      const name = stage.name();
      await api.publish(fanOut(name, sink.url));
      const { id } = await api.start(name, { items: numbers(3) });
      await eventually(async () => expect((await api.execution(id)).fanOuts[0]).toMatchObject({ running: 3 }));
      await api.act(id, 'cancel');
      expect(await api.settled(id)).toMatchObject({ state: 'CANCELLED' });
      // Whoever comes next is called, so what was said and claimed before has had its time.
      await api.publish(fanOut(`${name}-next`, `${sink.url}/next`));
      const next = async () =>
        expect(await api.run(`${name}-next`, { items: numbers(3) })).toMatchObject({ state: 'SUCCEEDED' });
      await next();
      letThrough!();
      await next();
      expect(sink.calls.filter(({ path }) => path !== '/next')).toEqual([]);
    }, 60_000);
  },
  behindALink,
);

async function behindALink(): ReturnType<NonNullable<Parameters<typeof inModes>[3]>> {
  await link?.close();
  link = await Link.to(process.env.FANFOLD_TEST_DATABASE_URL!);
  return {
    executors: 1,
    executorEnv: { EXECUTOR_LEASE_MS: '6000', EXECUTOR_HEARTBEAT_MS: '1000' },
    through: (role, url) => {
      if (role !== 'executor') return url;
      const by = new URL(url);
      const way = new URL(link.url);
      by.hostname = way.hostname;
      by.port = way.port;
      return by.href;
    },
  };
}
