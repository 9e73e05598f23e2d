import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, openSync, closeSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient } from './api-client.mjs';
import { membersOf } from './process-figures.mjs';

export const MODES = ['rabbitmq', 'postgres', 'standalone'];

const KEY = 'bench-key-0123456789abcdef';
const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 30_000;
// Settings that a measurement may be repeated with; nothing else of the surrounding shell reaches a service.
const PASSED_ON = [
  'DATABASE_POOL_MAX',
  'EXECUTOR_SLOTS',
  'SPAWN_LEAD',
  'ADMISSION_WINDOW',
  'LOG_LEVEL',
  'NODE_OPTIONS',
];

/** A whole engine in processes of its own, as an operator runs it, in a namespace of its own. */
export class Engine {
  #servers;
  #build;
  #room;
  #abandon = () => {
    for (const service of this.services) service.signalGroup('SIGKILL');
    rmSync(this.#room, { recursive: true, force: true });
  };

  constructor(servers, build) {
    this.#servers = servers;
    this.#build = build;
    this.#room = mkdtempSync(join(tmpdir(), 'fanfold-bench-'));
    this.namespace = `bench_${randomBytes(6).toString('hex')}`;
    this.services = [];
    process.once('exit', this.#abandon);
  }

  /** All of its processes, ready, and warm after a fan-out of no-ops. */
  static async start({ servers, build, mode, executors = 1, env = {}, executorEnv = {}, warmUp = 500 }) {
    const engine = new Engine(servers, build);
    try {
      await engine.#up(mode, executors, env, executorEnv);
      await engine.#warmUp(warmUp);
      return engine;
    } catch (error) {
      await engine.stop();
      throw error;
    }
  }

  async #up(mode, executors, env, executorEnv) {
    const passedOn = PASSED_ON.filter((name) => process.env[name]).map((name) => [name, process.env[name]]);
    const environment = {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '/',
      DATABASE_URL: this.#servers.databaseUrl,
      ...(mode === 'rabbitmq' && { RABBITMQ_URL: this.#servers.rabbitmqUrl }),
      FANFOLD_NAMESPACE: this.namespace,
      FANFOLD_API_KEY: KEY,
      FANFOLD_DATA_DIR: this.#room,
      FANFOLD_HANDLERS: join(import.meta.dirname, 'handlers.mjs'),
      HOST: '127.0.0.1',
      ...Object.fromEntries(passedOn),
      ...env,
    };
    const roles =
      mode === 'standalone' ? ['standalone'] : ['api', 'orchestrator', ...Array(executors).fill('executor')];
    for (const [index, role] of roles.entries()) {
      const program = this.#build.path(`apps/${role}/src/main.js`);
      const log = join(this.#room, `${index}-${role}.log`);
      const own = role === 'executor' ? { ...environment, ...executorEnv } : environment;
      this.services.push(new Service({ role, program, log, port: await freePort(), environment: own }));
    }
    // The first one makes the schema.
    await this.services[0].up();
    await Promise.all(this.services.slice(1).map((service) => service.up()));
    this.api = new ApiClient(this.services[0].url, KEY);
  }

  async #warmUp(children) {
    await this.api.publish(fanOut('warm-up', { type: 'HANDLER', config: { handler: 'echo', input: '${item}' } }));
    const items = Array.from({ length: children }, (_, n) => ({ n }));
    const { id } = await this.api.start('warm-up', { items });
    expectSucceeded(await this.api.settled(id));
  }

  /** Processor seconds so far, by role. */
  cpuSeconds() {
    const sums = {};
    for (const { role, cpuSeconds } of this.members()) sums[role] = (sums[role] ?? 0) + cpuSeconds;
    return sums;
  }

  members() {
    return this.services.flatMap((service) => (service.pid ? membersOf(service.pid) : []));
  }

  /** What its tables, their indexes and their overlong values take on disk. */
  async storedBytes() {
    const [{ bytes }] = await this.#servers.query(
      `select sum(pg_total_relation_size(c.oid))::float8 as bytes
         from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = $1 and c.relkind = 'r'`,
      [this.namespace],
    );
    return bytes;
  }

  /** @returns `"clean"`, or how many breaches of the invariants there are; those are told on stderr */
  fsck() {
    const { status, stdout, stderr } = spawnSync(process.execPath, [this.#build.path('apps/cli/src/main.js'), 'fsck'], {
      env: { PATH: process.env.PATH, DATABASE_URL: this.#servers.databaseUrl, FANFOLD_NAMESPACE: this.namespace },
      encoding: 'utf8',
      maxBuffer: 64 * 1_024 * 1_024,
    });
    if (status !== 0) process.stderr.write(stdout + stderr);
    return stdout.trim().split('\n').at(-1).replace('fsck: ', '') || `ended with ${status}`;
  }

  /** Ends it, and leaves nothing of it behind. */
  async stop() {
    await Promise.all(this.services.map((service) => service.stop()));
    process.off('exit', this.#abandon);
    rmSync(this.#room, { recursive: true, force: true });
    await this.#servers.dropNamespace(this.namespace);
  }
}

/** One process, on a port that it keeps when it is started again. */
class Service {
  #child;

  constructor({ role, program, log, port, environment }) {
    Object.assign(this, { role, program, log, port, environment });
  }

  get url() {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid() {
    return this.#child?.pid;
  }

  /** Starts it and waits until it is ready. */
  async up() {
    const out = openSync(this.log, 'a');
    const child = spawn(process.execPath, [this.program], {
      env: { ...this.environment, PORT: String(this.port) },
      stdio: ['ignore', out, out],
      detached: true,
    });
    closeSync(out);
    this.#child = child;
    const giveUpAt = performance.now() + READY_TIMEOUT_MS;
    while (!(await isReady(this.url))) {
      if (!isRunning(child) || performance.now() > giveUpAt)
        throw new Error(`${this.role} is not ready:\n${readFileSync(this.log, 'utf8').slice(-4_000)}`);
      await sleep(50);
    }
  }

  /** As kill -9 does. */
  async kill() {
    this.signalGroup('SIGKILL');
    await ended(this.#child);
  }

  /** In order, and by force when that takes too long. */
  async stop() {
    if (!this.#child) return;
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.signalGroup('SIGKILL'), STOP_TIMEOUT_MS);
    await ended(this.#child);
    clearTimeout(timer);
    this.signalGroup('SIGKILL');
  }

  signalGroup(signal) {
    try {
      if (this.pid) process.kill(-this.pid, signal);
    } catch {
      // All of the group have ended.
    }
  }
}

const isRunning = (child) => child.exitCode === null && child.signalCode === null;

const ended = (child) => isRunning(child) && new Promise((resolve) => child.once('exit', resolve));

const isReady = async (url) => {
  try {
    const response = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
};

// Below the range of outgoing connections, so that none takes it while a killed process is away.
const freePort = async () => {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const free = await new Promise((resolve) => {
      const server = createServer().once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
    });
    if (free) return port;
  }
};

/** `fan` runs the node once per item, `join` gives the verdict. */
export const fanOut = (name, node, items = '${input.items}', merge = {}) => ({
  name,
  nodes: [
    { id: 'fan', type: 'SPAWNER', config: { items, node } },
    { id: 'join', type: 'MERGE', config: merge },
  ],
  edges: [{ from: 'fan', to: 'join' }],
});

export const expectSucceeded = (execution) => {
  if (execution.state === 'SUCCEEDED') return execution;
  throw new Error(`an execution ended as ${execution.state}: ${JSON.stringify(execution.error)}`);
};
