// What the programs of the peers share, so that only what a peer does differs: options, processes, warm-up, clock, and one
// line of JSON. A peer is `{peer, packages, stores, variants, maxWorkers, settings, lead, work}`:
//
// - `lead(context)` runs in the process that was started. It brings up what the peer needs and gives `{fanOut, settled, one,
//   stop, context}`: `fanOut(children)` submits one parent with so many children and resolves with the number the parent
//   counted when it completed; `settled()` is how many children have completed so far, warm-up included; `one(n)` submits
//   a single task and resolves with its result. `context` is what the workers have to know, as JSON.
// - `work(context)` performs children, in a process of its own as our executor has one.
import { fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** As our engine is: so many no-op children have settled before anything is timed. */
const WARM_UP = 500;
const LATENCY_WARM_UP = 500;

/** The item of a child; the same as in our scenario. */
export const item = (n) => ({ n, email: `user${n}@example.com` });

export const runPeer = async (peer, { url }) => {
  const role = process.env.PEER_CONTEXT;
  if (role) return work(peer, JSON.parse(role));
  const options = read(peer);
  const room = mkdtempSync(join(tmpdir(), 'peer-'));
  const workers = [];
  // Whatever ends this program, nothing of it stays.
  process.once('exit', () => {
    for (const worker of workers) worker.kill('SIGKILL');
    rmSync(room, { recursive: true, force: true });
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));
  const line = {
    peer: peer.peer,
    version: versionOf(peer.packages[0], url),
    store: options.store,
    settings: { ...peer.settings, ...(peer.variants && { variant: options.variant }) },
  };
  try {
    const leader = await peer.lead({ ...options, room });
    const environment = {
      ...process.env,
      PEER_CONTEXT: JSON.stringify({ ...options, room, ...leader.context }),
    };
    for (let n = 0; n < options.workers; n++) workers.push(await startWorker(url, environment));
    await leader.ready?.();
    await leader.fanOut(WARM_UP);
    const figures = options.latency > 0 ? await latency(leader, options) : await throughput(leader, options);
    print({ ...line, workers: options.workers, ...figures });
    await Promise.race([leader.stop(), sleep(5_000)]);
    process.exit(0);
  } catch (error) {
    print({ ...line, error: String(error?.message ?? error).slice(0, 500) });
    process.stderr.write(`${error?.stack ?? error}\n`);
    process.exit(1);
  }
};

const throughput = async (leader, { children, seconds }) => {
  const before = await leader.settled();
  const startedAt = performance.now();
  const outOfTime = sleep(seconds * 1_000);
  const counted = await Promise.race([outOfTime, leader.fanOut(children)]);
  const took = (performance.now() - startedAt) / 1_000;
  if (counted !== undefined && counted !== children) throw new Error(`the parent counted ${counted} of ${children}`);
  // Out of time: what has settled by now counts, and the line says how many that are.
  const settled = counted ?? (await leader.settled()) - before;
  return {
    children: settled,
    asked: children,
    completed: counted === children,
    seconds: Number(took.toFixed(2)),
    settledPerSecond: Math.round(settled / took),
  };
};

const latency = async (leader, { latency: times }) => {
  const took = [];
  for (let n = 0; n < times + LATENCY_WARM_UP; n++) {
    const startedAt = performance.now();
    const result = await leader.one(n);
    if (n >= LATENCY_WARM_UP) took.push(performance.now() - startedAt);
    if (result?.n !== n) throw new Error(`the result of ${n} is ${JSON.stringify(result)}`);
  }
  const sorted = took.toSorted((a, b) => a - b);
  const at = (percent) => Number(sorted[Math.ceil((percent / 100) * sorted.length) - 1].toFixed(1));
  return { children: 0, executions: times, settledPerSecond: null, p50Ms: at(50), p99Ms: at(99), maxMs: at(100) };
};

const work = async (peer, context) => {
  // Without the one that leads there is nobody to work for.
  process.once('disconnect', () => process.exit(0));
  await peer.work(context);
  process.send('up');
};

const startWorker = async (url, env) => {
  // stdout is for the one line.
  const worker = fork(fileURLToPath(url), { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  await new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('exit', (code) => reject(new Error(`a worker ended with ${code}`)));
  });
  return worker;
};

const read = ({ stores, variants = ['plain'], maxWorkers = Infinity }) => {
  const option = (standard) => ({ type: 'string', default: String(standard) });
  const { values } = parseArgs({
    options: {
      children: option(10_000),
      seconds: option(120),
      workers: option(1),
      latency: { type: 'boolean', default: false },
      executions: option(100),
      store: option(stores[0]),
      variant: option(variants[0]),
    },
  });
  if (!stores.includes(values.store)) throw new Error(`--store is one of ${stores.join(', ')}`);
  if (!variants.includes(values.variant)) throw new Error(`--variant is one of ${variants.join(', ')}`);
  return {
    children: Number(values.children),
    seconds: Number(values.seconds),
    workers: Math.min(Number(values.workers), maxWorkers),
    latency: values.latency ? Number(values.executions) : 0,
    store: values.store,
    variant: values.variant,
    databaseUrl: process.env.DATABASE_URL,
  };
};

const versionOf = (name, url) => {
  const file = join(dirname(fileURLToPath(url)), 'node_modules', name, 'package.json');
  return JSON.parse(readFileSync(file, 'utf8')).version;
};

const print = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
