// pg-boss: a flow of one job that depends on N others; every child is a job with an output of its own.
//
// Settings, and why:
// - One `flow` call adds parent and children: that is what it has for a job that waits for others, and it is one statement
//   list in one transaction.
// - Handlers take batches of 500 (`batchSize`), settle every job of a batch on its own (`perJobResults`), and fetch again at
//   once while batches come back full (`burstWhenBatchFull`): the documentation's way to throughput.
// - `localConcurrency` 2, so that one batch is fetched while another is completed.
// - LISTEN/NOTIFY on, and the shortest intervals that are allowed (half a second for polling, a second for the resolver of
//   flows), so that nothing waits for a clock longer than it must.
// - Completed jobs stay, as they do by default, with their output.
import { PgBoss } from 'pg-boss';
import { item, runPeer } from '../support/peer.mjs';

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

const lead = async ({ databaseUrl }) => {
  const boss = await start(databaseUrl);
  for (const queue of ['children', 'parents', 'single']) await boss.createQueue(queue, { notify: true });
  const settled = async () => {
    const { rows } = await boss
      .getDb()
      .executeSql(
        `select count(*)::int as count from pgboss.job where name = 'children' and state = 'completed' and output is not null`,
      );
    return rows[0].count;
  };
  let settledBefore = 0;
  const waiting = new Map();
  await boss.work('parents', quick, async ([job]) => {
    const count = (await settled()) - settledBefore;
    settledBefore += count;
    waiting.get(job.id)(count);
    return { count };
  });
  const completed = async (queue, id) => {
    for (;;) {
      const [job] = await boss.findJobs(queue, { id });
      if (job?.state === 'completed') return job.output;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };
  return {
    async fanOut(count) {
      const refs = Array.from({ length: count }, (_, n) => String(n));
      const children = refs.map((ref) => ({ ref, name: 'children', data: item(Number(ref)) }));
      const parent = { ref: 'parent', name: 'parents', dependsOn: refs };
      const ids = await boss.flow([...children, parent]);
      return new Promise((resolve) => waiting.set(ids.parent, resolve));
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
    async (jobs) => jobs.map(({ id, data }) => ({ id, status: 'completed', output: data })),
  );
  await boss.work('single', quick, async ([job]) => job.data);
};

await runPeer(
  {
    peer: 'pg-boss',
    packages: ['pg-boss'],
    stores: ['postgres'],
    settings: { batchSize: BATCH, localConcurrency: LOCAL_CONCURRENCY },
    lead,
    work,
  },
  import.meta,
);
