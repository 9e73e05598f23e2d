import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, lifeOf, type ProcessLife } from './process-life.js';

/** Another engine lives on this data folder. */
export class DataFolderInUse extends Error {
  override readonly name = 'DataFolderInUse';
  readonly code = 'DATA_FOLDER.IN_USE';

  constructor(folder: string, pid: number) {
    super(`the data folder ${folder} is in use by another engine (process ${pid}); stop it, or set FANFOLD_DATA_DIR`);
  }
}

export interface DataFolderLock {
  /** The engine that held the folder before and died with it; its executors are dead or dying. */
  readonly takenOverFrom: ProcessLife | undefined;
  release(): void;
}

const FILE = 'engine.lock';

/**
 * One engine per data folder. The lock names a life, not a number: that of an engine that was killed, or of a machine
 * that was restarted, is dead and is taken over at once.
 *
 * @throws DataFolderInUse
 */
export const lockDataFolder = (folder: string): DataFolderLock => {
  const path = join(folder, FILE);
  const mine = join(folder, `${FILE}.${process.pid}`);
  const text = JSON.stringify(lifeOf(process.pid));
  writeFileSync(mine, text, { mode: 0o644 });
  let takenOverFrom: ProcessLife | undefined;
  try {
    while (!linked(mine, path)) {
      const holder = readHolder(path);
      if (holder && isAlive(holder)) throw new DataFolderInUse(folder, holder.pid);
      takenOverFrom = holder ?? takenOverFrom;
      removeDead(path, holder);
    }
  } finally {
    rmSync(mine, { force: true });
  }
  return {
    takenOverFrom,
    release: () => {
      const holder = readHolder(path);
      if (holder && JSON.stringify(holder) === text) rmSync(path, { force: true });
    },
  };
};

// A link appears whole or not at all, and only one process can make it.
const linked = (from: string, to: string): boolean => {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
};

const readHolder = (path: string): ProcessLife | undefined => {
  try {
    const value = JSON.parse(readFileSync(path, 'utf8')) as Partial<ProcessLife>;
    return typeof value.pid === 'number' ? { pid: value.pid, start: value.start ?? null } : undefined;
  } catch {
    return undefined;
  }
};

// Two engines may both see a dead one's lock. What was moved away is looked at again: if the other engine was
// quicker, it is its living lock, and it is put back.
const removeDead = (path: string, dead: ProcessLife | undefined): void => {
  const aside = `${path}.dead.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  const moved = readHolder(aside);
  if (moved && isAlive(moved) && moved.start !== dead?.start) linked(aside, path);
  rmSync(aside, { force: true });
};
