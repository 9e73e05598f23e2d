// graphile-worker: it has neither parents nor results, so both are tables of the program, kept in the same database, as its
// documentation suggests: every child is a job, its result a row, and who stores the last result adds the parent's job.
//
// Settings, and why:
// - Jobs go in with `addJobs`, 1,000 a call.
// - `concurrentJobs` 100 over a local queue of 500 jobs fetched at once, completions batched over 20 ms: its documentation's
//   way to throughput for many small jobs.
// - Results of jobs that run at the same time are written by one statement: an insert each would cost it a transaction a child.
// - No job is in a named queue, so the cheapest fetch is used.
import { run, makeWorkerUtils, Logger } from 'graphile-worker';
import pg from 'pg';
import { item, runPeer } from '../support/peer.mjs';

const CHUNK = 1_000;
const CONCURRENCY = 100;
const LOCAL_QUEUE = 500;
const COMPLETION_DELAY_MS = 20;
const RESULT_DELAY_MS = 2;

const logger = new Logger(() => (level, message) => {
  if (level === 'error') process.stderr.write(`${message}\n`);
});

const connect = (databaseUrl) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  const tell = (error) => process.stderr.write(`${error.stack}\n`);
  pool.on('error', tell);
  pool.on('connect', (client) => client.on('error', tell));
  return pool;
};

const lead = async ({ databaseUrl }) => {
  const pool = connect(databaseUrl);
  const utils = await makeWorkerUtils({ pgPool: pool, logger });
  await utils.migrate();
  await pool.query(`create table parent (id int generated always as identity primary key, open int not null, completed int);
    create table result (parent int not null, n int not null, output json not null, primary key (parent, n));
    create table single (n int primary key, output json not null)`);
  const waiting = new Map();
  const runner = await run({
    pgPool: pool,
    preset: { worker: { logger, concurrentJobs: 1, pollInterval: 500 } },
    noHandleSignals: true,
    taskList: {
      parent: async ({ parent }) => {
        const { rows } = await pool.query(
          `update parent set completed = (select count(*) from result where parent = $1) where id = $1 returning completed`,
          [parent],
        );
        waiting.get(parent)(rows[0].completed);
      },
    },
  });
  return {
    async fanOut(count) {
      const { rows } = await pool.query('insert into parent (open) values ($1) returning id', [count]);
      const parent = rows[0].id;
      const completed = new Promise((resolve) => waiting.set(parent, resolve));
      for (let from = 0; from < count; from += CHUNK) {
        const length = Math.min(CHUNK, count - from);
        await utils.addJobs(
          Array.from({ length }, (_, n) => ({ identifier: 'child', payload: { parent, item: item(from + n) } })),
        );
      }
      return completed;
    },
    settled: async () => (await pool.query('select count(*)::int as count from result')).rows[0].count,
    async one(n) {
      await utils.addJob('single', item(n));
      for (;;) {
        const { rows } = await pool.query('select output from single where n = $1', [n]);
        if (rows[0]) return rows[0].output;
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    },
    stop: () => runner.stop(),
  };
};

const work = async ({ databaseUrl, latency }) => {
  const pool = connect(databaseUrl);
  await run({
    pgPool: pool,
    preset: {
      worker: {
        logger,
        concurrentJobs: CONCURRENCY,
        pollInterval: 500,
        // Whoever waits for one job gains nothing from batches and is delayed by them.
        ...(latency === 0 && { localQueue: { size: LOCAL_QUEUE }, completeJobBatchDelay: COMPLETION_DELAY_MS }),
      },
    },
    noHandleSignals: true,
    taskList: {
      child: ({ parent, item: output }) => store(pool, { parent, n: output.n, output }),
      single: async (output) => {
        await pool.query('insert into single (n, output) values ($1, $2)', [output.n, output]);
      },
    },
  });
};

/** Results that come within two milliseconds are stored by one statement; each waits until its own is. */
const store = (pool, result) =>
  new Promise((resolve, reject) => {
    batch.push({ ...result, resolve, reject });
    if (batch.length >= LOCAL_QUEUE) flush(pool);
    else timer ??= setTimeout(() => flush(pool), RESULT_DELAY_MS);
  });
let batch = [];
let timer;

const flush = async (pool) => {
  clearTimeout(timer);
  timer = undefined;
  const results = batch;
  batch = [];
  try {
    await pool.query({
      name: 'store',
      text: `with stored as (
               insert into result (parent, n, output) select * from unnest($1::int[], $2::int[], $3::json[])
                   on conflict do nothing returning parent),
             counted as (
               update parent set open = open - stored.count
                 from (select parent, count(*)::int from stored group by parent) stored
                where id = stored.parent returning id, open)
           select graphile_worker.add_job('parent', json_build_object('parent', id)) from counted where open = 0`,
      values: [results.map(({ parent }) => parent), results.map(({ n }) => n), results.map(({ output }) => output)],
    });
    for (const { resolve } of results) resolve();
  } catch (error) {
    for (const { reject } of results) reject(error);
  }
};

await runPeer(
  {
    peer: 'graphile-worker',
    packages: ['graphile-worker'],
    stores: ['postgres'],
    settings: { bulk: CHUNK, concurrency: CONCURRENCY, localQueue: LOCAL_QUEUE, batchDelayMs: COMPLETION_DELAY_MS },
    lead,
    work,
  },
  import.meta,
);
