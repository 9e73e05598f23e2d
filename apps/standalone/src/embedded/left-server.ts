import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isAlive, lifeOf, type ProcessLife } from './process-life.js';

const STEP_MS = 20;

/** Ends a server: what is in flight is rolled back, then a harder way if it does not go. */
export const endServer = async (server: ProcessLife): Promise<void> => {
  for (const [signal, patienceMs] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    if (!isAlive(server)) return;
    try {
      process.kill(server.pid, signal);
    } catch {
      return;
    }
    for (let waitedMs = 0; waitedMs < patienceMs && isAlive(server); waitedMs += STEP_MS) await pause(STEP_MS);
  }
  if (isAlive(server)) throw new Error(`the server of an earlier engine (process ${server.pid}) cannot be stopped`);
};

/**
 * Stops the server that a killed engine left on this cluster. It is stopped rather than adopted: a restart takes a tenth
 * of a second, and what runs is then certainly ours, with our settings.
 */
export const endLeftServer = async (cluster: string): Promise<void> => {
  const path = join(cluster, 'postmaster.pid');
  const pid = pidIn(path);
  if (pid === undefined) return;
  const server = lifeOf(pid);
  if (isAlive(server) && servesCluster(pid, cluster)) await endServer(server);
  // A number used again by a stranger, or a zombie, would keep the next server from starting.
  rmSync(path, { force: true });
};

const pidIn = (path: string): number | undefined => {
  try {
    const pid = Number.parseInt(readFileSync(path, 'utf8'), 10);
    return pid > 1 && pid !== process.pid ? pid : undefined;
  } catch {
    return undefined;
  }
};

const servesCluster = (pid: number, cluster: string): boolean => {
  if (process.platform !== 'linux') return true;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(cluster);
  } catch {
    return false;
  }
};
