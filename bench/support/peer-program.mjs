// The programs under bench/peers, which do the same work with other engines: installed, run, and read.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './root.mjs';
import { runProgram } from './run-program.mjs';

/** By name: its folder, the store that it is asked to use, and the way where it has several. */
export const PEERS = {
  'bullmq-everysec': { folder: 'bullmq', store: 'redis-everysec' },
  'bullmq-always': { folder: 'bullmq', store: 'redis-always' },
  'pg-boss': { folder: 'pg-boss', store: 'postgres' },
  'pg-boss-flow': { folder: 'pg-boss', store: 'postgres', variant: 'flow' },
  restate: { folder: 'restate', store: 'own' },
  'graphile-worker': { folder: 'graphile-worker', store: 'postgres' },
  dbos: { folder: 'dbos', store: 'postgres' },
  'bullmq-postgres': { folder: 'bullmq', store: 'postgres' },
};

/** What a peer may take for its start, its warm-up and its end, beyond the time it is measured for. */
const ASIDE_MS = 120_000;

/** Installs and runs peers for one run of a scenario; `remove` leaves nothing behind. */
export class PeerPrograms {
  #servers;
  #installed = new Map();
  #rooms = [];

  constructor(servers) {
    this.#servers = servers;
    process.once('exit', this.remove);
  }

  remove = () => {
    process.off('exit', this.remove);
    for (const room of this.#rooms.splice(0)) rmSync(room, { recursive: true, force: true });
  };

  /** @returns what it printed; `{peer, error}` where it cannot be installed or run */
  async run(name, args) {
    const { folder, store, variant } = PEERS[name];
    const database = `bench_peer_${randomBytes(6).toString('hex')}`;
    try {
      const program = join(this.#install(folder), 'run.mjs');
      // A database of its own on the server that ours uses, so that neither meets what the other has left.
      await this.#servers.query(`create database ${database}`);
      const databaseUrl = new URL(this.#servers.databaseUrl);
      databaseUrl.pathname = `/${database}`;
      const own = ['--store', store, ...(variant ? ['--variant', variant] : [])];
      const line = await runPeer(program, [...own, ...args], databaseUrl.href);
      return { ...line, peer: name };
    } catch (error) {
      return { peer: name, error: String(error.message).slice(0, 500) };
    } finally {
      await this.#servers.query(`drop database if exists ${database} with (force)`).catch(() => undefined);
    }
  }

  #install(folder) {
    const source = join(root, 'bench/peers', folder);
    if (existsSync(join(source, 'node_modules'))) return source;
    if (!this.#installed.has(folder)) {
      const room = mkdtempSync(join(tmpdir(), 'fanfold-bench-peer-'));
      this.#rooms.push(room);
      for (const part of ['support', folder])
        cpSync(join(root, 'bench/peers', part), join(room, part), { recursive: true });
      const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'];
      const { status, stderr } = spawnSync('npm', args, { cwd: join(room, folder), encoding: 'utf8' });
      const error = status === 0 ? undefined : new Error(`npm ci failed: ${String(stderr).trim().slice(0, 400)}`);
      this.#installed.set(folder, { path: join(room, folder), error });
    }
    const { path, error } = this.#installed.get(folder);
    if (error) throw error;
    return path;
  }
}

const runPeer = async (program, args, databaseUrl) => {
  const seconds = Number(args[args.indexOf('--seconds') + 1]);
  const { code, lastLine, told } = await runProgram(program, args, {
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/', DATABASE_URL: databaseUrl },
    timeoutMs: seconds * 1_000 + ASIDE_MS,
  });
  if (!lastLine) throw new Error(`it ended with ${code} and printed nothing: ${told.trim().slice(-400)}`);
  if (code !== 0) process.stderr.write(told);
  return JSON.parse(lastLine);
};
