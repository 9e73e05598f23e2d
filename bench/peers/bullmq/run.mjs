// BullMQ: a parent job that waits for its children, each a job of its own whose return value is stored.
//
// Settings, and why:
// - The parent's processor adds its children in bulk, 1,000 a call, with itself as their parent, and then moves itself to
//   waiting-children: that is what its documentation has for children that are not known beforehand, and children already run
//   while others are still added. (One FlowProducer.add of the whole tree is atomic, and nothing runs before it is all in.)
// - `concurrency` 100: the documentation recommends high values for work that does not use the processor; above that nothing
//   got faster. Our executor has 100 slots.
// - Finished jobs are kept, as they are by default: ours are kept as well, and the results are in them.
// - Redis is a private server. Append-only file on, since without it nothing is durable; `appendfsync always` answers when a
//   write is on disk, as Postgres does, `everysec` may lose a second. `noeviction` is what BullMQ demands.
// - The Postgres store is the backend of the same package, on the same server as ours, with 20 connections a process.
import { createPostgresBackend, Queue, QueueEvents, WaitingChildrenError, Worker } from 'bullmq';
import Redis from 'ioredis';
import { item, runPeer } from '../support/peer.mjs';
import { freePort, startServer } from '../support/server.mjs';

const CHUNK = 1_000;
const CONCURRENCY = 100;

const backendOf = (store) => (store === 'postgres' ? createPostgresBackend : undefined);

const startRedis = async (room, appendfsync) => {
  const port = await freePort();
  const persistence = ['--appendonly', 'yes', '--appendfsync', appendfsync, '--save', '', '--dir', room];
  const args = ['--bind', '127.0.0.1', '--port', String(port), '--maxmemory-policy', 'noeviction', ...persistence];
  const isReady = async () => {
    const client = new Redis({ port, lazyConnect: true, retryStrategy: () => null });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.ping()) === 'PONG';
    } finally {
      client.disconnect();
    }
  };
  return { port, stop: await startServer('redis-server', args, { room, isReady }) };
};

const lead = async ({ store, room, databaseUrl }) => {
  const redis = store === 'postgres' ? undefined : await startRedis(room, store.replace('redis-', ''));
  const connection = redis
    ? { host: '127.0.0.1', port: redis.port, maxRetriesPerRequest: null }
    : { connectionString: databaseUrl, max: 20, migrate: true };
  const backend = backendOf(store);
  const parents = new Queue('parents', { connection }, backend);
  await parents.waitUntilReady();
  const children = new Queue('children', { connection }, backend);
  const events = {
    parents: new QueueEvents('parents', { connection }, backend),
    children: new QueueEvents('children', { connection }, backend),
  };
  await Promise.all([events.parents.waitUntilReady(), events.children.waitUntilReady()]);
  const parentWorker = new Worker(
    'parents',
    async (job, token) => {
      const { count, added } = job.data;
      if (!added) {
        const parent = { id: job.id, queue: job.queueQualifiedName };
        for (let from = 0; from < count; from += CHUNK) {
          const length = Math.min(CHUNK, count - from);
          const entries = Array.from({ length }, (_, n) => ({
            name: 'child',
            data: item(from + n),
            opts: { parent },
          }));
          await children.addBulk(entries);
        }
        await job.updateData({ count, added: true });
      }
      if (await job.moveToWaitingChildren(token)) throw new WaitingChildrenError();
      const { processed } = await job.getDependenciesCount({ processed: true });
      return processed;
    },
    { connection },
    backend,
  );
  parentWorker.on('error', (error) => process.stderr.write(`${error.stack}\n`));
  return {
    context: { connection: { ...connection, migrate: false } },
    async fanOut(count) {
      const job = await parents.add('parent', { count });
      return job.waitUntilFinished(events.parents);
    },
    settled: () => children.getCompletedCount(),
    async one(n) {
      const job = await children.add('child', item(n));
      return job.waitUntilFinished(events.children);
    },
    async stop() {
      redis?.stop();
    },
  };
};

const work = async ({ store, connection }) => {
  const worker = new Worker(
    'children',
    async (job) => job.data,
    { connection, concurrency: CONCURRENCY },
    backendOf(store),
  );
  worker.on('error', (error) => process.stderr.write(`${error.stack}\n`));
  await worker.waitUntilReady();
};

await runPeer(
  {
    peer: 'bullmq',
    packages: ['bullmq'],
    stores: ['redis-everysec', 'redis-always', 'postgres'],
    settings: { bulk: CHUNK, concurrency: CONCURRENCY },
    lead,
    work,
  },
  import.meta,
);
