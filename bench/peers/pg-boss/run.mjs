// pg-boss: N jobs, each with an output of its own, and one that is done when they are.
//
// Settings, and why:
// - `bulk`, the faster way: children go in with `insert`, 5,000 a call, and whoever performs the last of them sends the parent's
//   job, by a counter in a table of the program. The parent trusts the counter no further than that: it completes when as
//   many children have.
// - `flow`, what it has for a job that waits for others: one `flow` call adds parent and children in one transaction. Making
//   ready what is added takes time that grows faster than the list.
// - Handlers take batches of 500 (`batchSize`), settle every job of a batch on its own (`perJobResults`), and fetch again at
//   once while batches come back full (`burstWhenBatchFull`): the documentation's way to throughput.
// - `localConcurrency` 2, so that one batch is fetched while another is completed.
// - LISTEN/NOTIFY on, and the shortest intervals that are allowed (half a second for polling, a second for the resolver of
//   flows), so that nothing waits for a clock longer than it must.
// - Completed jobs stay, as they do by default, with their output.
import { setTimeout as sleep } from 'node:timers/promises';
import { PgBoss } from 'pg-boss';
import { item, runPeer } from '../support/peer.mjs';

const BULK = 5_000;
const BATCH = 500;
const LOCAL_CONCURRENCY = 2;

const start = async (databaseUrl) => {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    max: 10,
    useListenNotify: true,
    flowIntervalSeconds: 1,
    schedule: false,
  });
  boss.on('error', (error) => process.stderr.write(`${error.stack}\n`));
  await boss.start();
  return boss;
};

const quick = { pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 0.5 };

const lead = async ({ databaseUrl, variant }) => {
  const boss = await start(databaseUrl);
  const query = async (text, values) => (await boss.getDb().executeSql(text, values)).rows;
  for (const queue of ['children', 'parents', 'single']) await boss.createQueue(queue, { notify: true });
  await query('create table parent (id int primary key, open int not null)');
  const completed = async (queue, id) => {
    for (;;) {
      const [job] = await boss.findJobs(queue, { id });
      if (job?.state === 'completed') return job.output;
      await sleep(2);
    }
  };
  const settled = async () => {
    const [{ count }] = await query(
      `select count(*)::int as count from pgboss.job where name = 'children' and state = 'completed' and output is not null`,
    );
    return count;
  };
  let parents = 0;
  let settledBefore = 0;
  const waiting = new Map();
  await boss.work('parents', quick, async ([job]) => {
    const { parent, count } = job.data;
    // The counter is told of a batch just before pg-boss completes it.
    while ((await settled()) - settledBefore < count) await sleep(20);
    settledBefore += count;
    waiting.get(parent)(count);
    return { count };
  });
  const add = {
    async bulk(parent, count) {
      await query('insert into parent (id, open) values ($1, $2)', [parent, count]);
      for (let from = 0; from < count; from += BULK) {
        const length = Math.min(BULK, count - from);
        const jobs = Array.from({ length }, (_, n) => ({ data: { parent, count, item: item(from + n) } }));
        await boss.insert('children', jobs);
      }
    },
    async flow(parent, count) {
      const refs = Array.from({ length: count }, (_, n) => String(n));
      const children = refs.map((ref) => ({ ref, name: 'children', data: { item: item(Number(ref)) } }));
      await boss.flow([...children, { ref: 'parent', name: 'parents', data: { parent, count }, dependsOn: refs }]);
    },
  }[variant];
  return {
    async fanOut(count) {
      const parent = ++parents;
      const done = new Promise((resolve) => waiting.set(parent, resolve));
      await add(parent, count);
      return done;
    },
    settled,
    async one(n) {
      return completed('single', await boss.send('single', item(n)));
    },
    stop: () => boss.stop({ graceful: false }),
  };
};

const work = async ({ databaseUrl }) => {
  const boss = await start(databaseUrl);
  await boss.work(
    'children',
    { ...quick, batchSize: BATCH, burstWhenBatchFull: true, perJobResults: true, localConcurrency: LOCAL_CONCURRENCY },
    async (jobs) => {
      const results = jobs.map(({ id, data }) => ({ id, status: 'completed', output: data.item }));
      const { parent, count } = jobs[0].data;
      if (parent === undefined) return results;
      const { rows } = await boss
        .getDb()
        .executeSql('update parent set open = open - $2 where id = $1 returning open', [parent, jobs.length]);
      if (rows[0].open <= 0) await boss.send('parents', { parent, count });
      return results;
    },
  );
  await boss.work('single', quick, async ([job]) => job.data);
};

await runPeer(
  {
    peer: 'pg-boss',
    packages: ['pg-boss'],
    stores: ['postgres'],
    variants: ['bulk', 'flow'],
    settings: { bulk: BULK, batchSize: BATCH, localConcurrency: LOCAL_CONCURRENCY },
    lead,
    work,
  },
  import.meta,
);
