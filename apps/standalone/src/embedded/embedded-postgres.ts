import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findBinaries } from './binaries.js';
import { DATABASE, ensureCluster, serverEnvironment, SUPERUSER } from './cluster.js';
import { lockDataFolder } from './data-folder-lock.js';
import { claimPort } from './free-port.js';
import { endLeftServer, endServer } from './left-server.js';
import { isAlive, lifeOf, type ProcessLife } from './process-life.js';
import { serverPlace, type ServerPlace } from './server-place.js';
import { serverSettings } from './settings.js';

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  /** A fresh secret for the server, asked for once in the life of a data folder. Letters and digits only. */
  readonly newPassword: () => string;
  /** False gives up every promise about crashes, for tests. Default true. */
  readonly durable?: boolean;
  /** Told where the data is when it cannot be in the data folder. Default: a line on stderr. */
  readonly onFallback?: (folder: string) => void;
  /** The folder is ours: called before anything is started. */
  readonly onLocked?: () => void;
}

export interface EmbeddedPostgres {
  readonly url: string;
  readonly pid: number;
  /** The life of the engine that was killed on this folder, if that is how it ended. */
  readonly takenOverFrom: ProcessLife | undefined;
  /** Ends the server and gives the data folder free. Safe to call twice. */
  stop(): Promise<void>;
}

const STEP_MS = 20;
// Recovery after a power failure may read two gigabytes; a server that lives is making progress.
const READY_TIMEOUT_MS = 600_000;
const OLD_MEMORY_TIMEOUT_MS = 10_000;

/**
 * A real Postgres of our own on a data folder: locked against a second engine, cleared of what a killed one left,
 * created where new, started in a process group of its own (so that Ctrl-C reaches the engine first), on loopback only.
 *
 * @throws DataFolderInUse
 */
export const startEmbeddedPostgres = async (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
  const dataDir = resolve(options.dataDir);
  mkdirSync(dataDir, { recursive: true });
  const lock = lockDataFolder(dataDir);
  options.onLocked?.();
  try {
    const durable = options.durable ?? true;
    const place = serverPlace(dataDir);
    if (place.isFallback) (options.onFallback ?? tellFallback)(place.folder);
    const cluster = join(place.folder, 'postgres');
    const binaries = findBinaries(place.user, join(place.folder, 'postgres.programs'));
    await endLeftServer(cluster);
    const password = kept(join(place.folder, 'postgres.password'), options.newPassword);
    ensureCluster({ path: cluster, binaries, user: place.user, password, durable });
    const { server, port } = await startUntilReady(place, binaries.postgres, cluster, durable);
    const url = `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${DATABASE}`;
    // While the server runs, tools that are given the data folder find it here.
    const address = join(dataDir, 'database.url');
    writeFileSync(address, `${url}\n`, { mode: 0o600 });
    let stopping: Promise<void> | undefined;
    const end = async () => {
      rmSync(address, { force: true });
      await endServer(server).finally(() => lock.release());
    };
    const stop = () => (stopping ??= end());
    return { url, pid: server.pid, takenOverFrom: lock.takenOverFrom, stop };
  } catch (error) {
    lock.release();
    throw error;
  }
};

const startUntilReady = async (place: ServerPlace, program: string, cluster: string, durable: boolean) => {
  const log = join(place.folder, 'postgres.log');
  for (let waitedMs = 0; ; waitedMs += 250) {
    const port = await keptPort(join(place.folder, 'postgres.port'));
    const server = launch(place, program, cluster, port, durable, log);
    if (await isReady(cluster, server)) return { server, port };
    await endServer(server);
    const said = tail(log);
    // The processes of a killed server may hold its memory for a moment; a port may be taken between look and use.
    const passes = /pre-existing shared memory block|could not bind|lock file "postmaster\.pid"/.test(said);
    if (!passes || waitedMs >= OLD_MEMORY_TIMEOUT_MS) throw new Error(`the embedded Postgres did not start:\n${said}`);
    await pause(250);
    await endLeftServer(cluster);
  }
};

const launch = (
  { user }: ServerPlace,
  program: string,
  cluster: string,
  port: number,
  durable: boolean,
  log: string,
): ProcessLife => {
  const settings = Object.entries(serverSettings(durable)).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const output = openSync(log, 'w', 0o600);
  const child = spawn(program, ['-D', cluster, '-p', String(port), ...settings], {
    ...(user && { uid: user.uid, gid: user.gid }),
    cwd: '/',
    env: serverEnvironment(),
    detached: true,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  child.on('error', () => undefined);
  child.unref();
  if (child.pid === undefined) throw new Error(`${program} cannot be started`);
  return lifeOf(child.pid);
};

const isReady = async (cluster: string, server: ProcessLife): Promise<boolean> => {
  const file = join(cluster, 'postmaster.pid');
  for (let waitedMs = 0; waitedMs < READY_TIMEOUT_MS; waitedMs += STEP_MS) {
    if (!isAlive(server)) return false;
    if (existsSync(file)) {
      const [pid, , , , , , , status] = readFileSync(file, 'utf8').split('\n');
      if (Number(pid) === server.pid && status?.trim() === 'ready') return true;
    }
    await pause(STEP_MS);
  }
  return false;
};

// The port stays the same over restarts where it can, so that a tool that was pointed at it still finds it.
const keptPort = async (file: string): Promise<number> => {
  const before = existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : 0;
  const port = (before > 0 ? await claimPort(before) : undefined) ?? (await claimPort(0));
  if (port === undefined) throw new Error('there is no free port on 127.0.0.1');
  if (port !== before) writeFileSync(file, `${port}\n`);
  return port;
};

const kept = (file: string, make: () => string): string => {
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const value = make();
  if (!/^[A-Za-z0-9]{16,}$/.test(value)) throw new Error('a server password has at least 16 letters and digits');
  writeFileSync(file, `${value}\n`, { mode: 0o600 });
  return value;
};

const tail = (file: string): string => readFileSync(file, 'utf8').trim().split('\n').slice(-15).join('\n');

const tellFallback = (folder: string): void => {
  process.stderr.write(
    `fanfold: the database server's user cannot reach the data folder; its files are in ${folder}\n`,
  );
};
