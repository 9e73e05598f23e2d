// DBOS: a workflow that starts N workflows on a queue and waits for all of them; every child is a workflow of its own with its
// recorded result.
//
// Settings, and why:
// - Children are started by the parent, 100 at a time, over a pool of 20 connections. Starting them is what takes the time (they
//   are performed as fast as they are started); more at a time, a larger pool, enqueueing by name, and a tree of parents made
//   no difference that could be seen.
// - They are waited for with `waitAll`, one polling query for all, where a getResult each would be a step more of the parent
//   for every child.
// - The queue is polled every 20 ms, which is far below its default of a second: at that nothing but the clock would be
//   measured. `workerConcurrency` 200 bounds what one poll takes.
// - A child has no step of its own: its result is recorded as that of the workflow, which is one write less.
import { DBOS } from '@dbos-inc/dbos-sdk';
import pg from 'pg';
import { item, runPeer } from '../support/peer.mjs';

const AT_ONCE = 100;
const POOL = 20;
const POLLING_MS = 20;
const WAITING_MS = 100;
const WORKER_CONCURRENCY = 200;

const child = DBOS.registerWorkflow(async (one) => one, { name: 'child' });
const parent = DBOS.registerWorkflow(
  async (count) => {
    const handles = [];
    for (let from = 0; from < count; from += AT_ONCE) {
      const length = Math.min(AT_ONCE, count - from);
      const started = Array.from({ length }, (_, n) =>
        DBOS.startWorkflow(child, { queueName: 'children' })(item(from + n)),
      );
      handles.push(...(await Promise.all(started)));
    }
    const done = await DBOS.waitAll(handles, { pollingIntervalMs: WAITING_MS });
    return done.length;
  },
  { name: 'parent' },
);

const launch = async (databaseUrl, listenQueues) => {
  DBOS.setConfig({
    name: 'peer',
    systemDatabaseUrl: databaseUrl,
    systemDatabasePoolSize: POOL,
    logLevel: 'error',
    applicationVersion: '1',
    listenQueues,
  });
  await DBOS.launch();
};

const lead = async ({ databaseUrl }) => {
  // The one that leads performs no children.
  await launch(databaseUrl, ['nothing']);
  await DBOS.registerQueue('nothing');
  await DBOS.registerQueue('children', {
    workerConcurrency: WORKER_CONCURRENCY,
    minPollingIntervalMs: POLLING_MS,
  });
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  return {
    async fanOut(count) {
      const handle = await DBOS.startWorkflow(parent)(count);
      return handle.getResult({ pollingIntervalMs: POLLING_MS });
    },
    async settled() {
      const { rows } = await pool.query(
        `select count(*)::int as count from dbos.workflow_status where queue_name = 'children' and status = 'SUCCESS'`,
      );
      return rows[0].count;
    },
    async one(n) {
      const handle = await DBOS.startWorkflow(child, { queueName: 'children' })(item(n));
      return handle.getResult({ pollingIntervalMs: 2 });
    },
    stop: () => DBOS.shutdown(),
  };
};

const work = ({ databaseUrl }) => launch(databaseUrl, ['children']);

await runPeer(
  {
    peer: 'dbos',
    packages: ['@dbos-inc/dbos-sdk'],
    stores: ['postgres'],
    settings: { startedAtOnce: AT_ONCE, pool: POOL, pollingMs: POLLING_MS, workerConcurrency: WORKER_CONCURRENCY },
    lead,
    work,
  },
  import.meta,
);
