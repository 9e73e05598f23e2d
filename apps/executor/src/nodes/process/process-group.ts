import type { ChildProcess } from 'node:child_process';
import { Reaper } from './reaper.js';

const graceMs = 2_000;
const alive = new Set<number>();
const reaper = new Reaper();

/** The last thing this process does is to end every process it started that still runs. */
function killAll(): void {
  for (const pid of alive) signalGroup(pid, 'SIGKILL');
}

/**
 * A child that leads a process group of its own (`detached`), so that what it starts in turn can be ended with it. However
 * the child ends, the rest of its group is killed: a command leaves nothing behind.
 */
export class ProcessGroup {
  private readonly pid: number | undefined;
  private timer: NodeJS.Timeout | null = null;
  private ending = false;

  constructor(child: ChildProcess) {
    this.pid = child.pid;
    if (this.pid === undefined) return;
    if (!process.listeners('exit').includes(killAll)) process.on('exit', killAll);
    alive.add(this.pid);
    reaper.add(this.pid);
    child.once('exit', () => this.close());
  }

  /** SIGTERM, and SIGKILL after two seconds. */
  end(): void {
    if (this.ending || this.pid === undefined || !alive.has(this.pid)) return;
    this.ending = true;
    const { pid } = this;
    signalGroup(pid, 'SIGTERM');
    this.timer = setTimeout(() => signalGroup(pid, 'SIGKILL'), graceMs);
  }

  kill(): void {
    if (this.pid !== undefined && alive.has(this.pid)) signalGroup(this.pid, 'SIGKILL');
  }

  private close(): void {
    if (this.timer) clearTimeout(this.timer);
    if (this.pid === undefined || !alive.delete(this.pid)) return;
    signalGroup(this.pid, 'SIGKILL');
    reaper.remove(this.pid);
  }
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The whole group has ended.
  }
}
