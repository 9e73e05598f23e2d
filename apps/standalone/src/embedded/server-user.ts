import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';

/** The user a server runs as. Undefined: the user of this process. */
export interface ServerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Postgres refuses to run as root, and wants a user that has a name. */
export const serverUser = (existingCluster: string): ServerUser | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const users = namedUsers();
  const owner = ownerOf(existingCluster);
  const user =
    users.find(({ uid }) => uid === owner && uid !== 0) ??
    users.find(({ name }) => name === 'postgres') ??
    users.find(({ name }) => name === 'nobody');
  if (!user)
    throw new Error('Postgres does not run as root, and there is no user postgres or nobody; start as another user');
  return user;
};

/** Whether that user may enter a folder, all the folders above it included. */
export const canEnter = (path: string, user: ServerUser | undefined): boolean =>
  user === undefined ||
  spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], { uid: user.uid, gid: user.gid, cwd: '/' }).status === 0;

const namedUsers = (): ServerUser[] =>
  readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4)
    .map(([name, , uid, gid]) => ({ name: name!, uid: Number(uid), gid: Number(gid) }));

const ownerOf = (path: string): number | undefined => {
  try {
    return statSync(path).uid;
  } catch {
    return undefined;
  }
};
