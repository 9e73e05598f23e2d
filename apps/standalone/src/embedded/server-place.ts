import { createHash } from 'node:crypto';
import { accessSync, chmodSync, constants, lstatSync, mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { canEnter, serverUser, type ServerUser } from './server-user.js';

/** The folder for the server's files, and the user it runs as. */
export interface ServerPlace {
  readonly folder: string;
  readonly user: ServerUser | undefined;
  /** The data folder was out of that user's reach. */
  readonly isFallback: boolean;
}

/** The data folder itself, or, where the server's user cannot enter it, one in a place of the system that stays. */
export const serverPlace = (dataDir: string): ServerPlace => {
  const user = serverUser(join(dataDir, 'postgres'));
  if (!user) return { folder: dataDir, user, isFallback: false };
  // The folder is ours: to let the server through it is enough that it can be entered, not read.
  chmodSync(dataDir, statSync(dataDir).mode | 0o111);
  if (canEnter(dataDir, user)) return { folder: dataDir, user, isFallback: false };
  const name = `fanfold-${createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 16)}`;
  const folder = join(writable('/var/lib') ? '/var/lib' : tmpdir(), name);
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.()) throw new Error(`${folder} is not ours to use`);
  return { folder, user: serverUser(join(folder, 'postgres')), isFallback: true };
};

const writable = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
};
