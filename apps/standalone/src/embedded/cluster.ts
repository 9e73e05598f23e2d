import { spawnSync, type SpawnSyncOptions } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Binaries } from './binaries.js';
import type { ServerUser } from './server-user.js';

export const DATABASE = 'fanfold';
export const SUPERUSER = 'fanfold';

export interface ClusterOptions {
  readonly path: string;
  readonly binaries: Binaries;
  readonly user: ServerUser | undefined;
  readonly password: string;
  readonly durable: boolean;
}

/** Makes the cluster where there is none. It appears under its name only when it is whole, so a crash leaves no half. */
export const ensureCluster = (options: ClusterOptions): void => {
  const { path, binaries, user, password, durable } = options;
  if (existsSync(join(path, 'PG_VERSION'))) return;
  const fresh = `${path}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { mode: 0o700 });
  // The password goes through a file that only the server's user can read; an argument would be visible to all.
  const secret = `${path}.secret`;
  writeFileSync(secret, `${password}\n`, { mode: 0o600 });
  try {
    if (user) for (const owned of [fresh, secret]) chownSync(owned, user.uid, user.gid);
    const initdb = ['-D', fresh, '-U', SUPERUSER, '-A', 'scram-sha-256', `--pwfile=${secret}`];
    run(binaries.initdb, [...initdb, '--locale=C', '--encoding=UTF8', '--no-sync'], user);
    run(binaries.postgres, ['--single', '-F', '-D', fresh, 'postgres'], user, `create database ${DATABASE}\n`);
    if (durable) run(binaries.initdb, ['--sync-only', '-D', fresh], user);
    renameSync(fresh, path);
  } finally {
    rmSync(secret, { force: true });
  }
};

const run = (program: string, args: string[], user: ServerUser | undefined, input?: string): void => {
  const options: SpawnSyncOptions = {
    ...(user && { uid: user.uid, gid: user.gid }),
    cwd: '/',
    env: serverEnvironment(),
  };
  const done = spawnSync(program, args, { ...options, ...(input !== undefined && { input }) });
  if (done.status === 0) return;
  throw new Error(`${program} failed: ${done.error?.message ?? String(done.stderr).trim()}`);
};

/** Nothing of ours: the server needs no keys, and messages of another language would not be understood. */
export const serverEnvironment = (): NodeJS.ProcessEnv => ({ PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' });
