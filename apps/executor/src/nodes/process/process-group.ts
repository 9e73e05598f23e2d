import type { ChildProcess } from 'node:child_process';
import { Reaper } from './reaper.js';

const graceMs = 2_000;
/** Processes that lead a group, and how they are ended with this one: killed with their group, or told to end what they run. */
const alive = new Map<number, 'KILL' | 'TERM'>();
const reaper = new Reaper();

/** The last thing this process does is to end every process it started that still runs. */
function endAll(): void {
  for (const [pid, how] of alive) signalTo(how === 'KILL' ? -pid : pid, `SIG${how}`);
}

/**
 * A process that leads a group of its own, so that what it starts in turn can be ended with it. However it ends, the rest
 * of its group is killed: a command leaves nothing behind.
 */
export class ProcessGroup {
  private readonly pid: number | undefined;
  private timer: NodeJS.Timeout | null = null;
  private ending = false;

  /**
   * @param leader a child of this process (`detached`), or the id of one that is started, and ended with this process, by another: then {@link close} is to be called when it has ended
   * @param how what becomes of it when this process ends: `TERM` for one that has groups below it, and ends them itself
   */
  constructor(leader: ChildProcess | number, how: 'KILL' | 'TERM' = 'KILL') {
    this.pid = typeof leader === 'number' ? leader : leader.pid;
    if (this.pid === undefined) return;
    if (!process.listeners('exit').includes(endAll)) process.on('exit', endAll);
    alive.set(this.pid, how);
    if (typeof leader === 'number') return;
    reaper.add(this.pid, how);
    leader.once('exit', () => this.close());
  }

  /** SIGTERM, and SIGKILL after two seconds. */
  end(): void {
    if (this.ending || this.pid === undefined || !alive.has(this.pid)) return;
    this.ending = true;
    const { pid } = this;
    signalTo(-pid, 'SIGTERM');
    this.timer = setTimeout(() => signalTo(-pid, 'SIGKILL'), graceMs);
  }

  kill(): void {
    if (this.pid !== undefined && alive.has(this.pid)) signalTo(-this.pid, 'SIGKILL');
  }

  /** Its leader has ended: what is left of it is killed. */
  close(): void {
    if (this.timer) clearTimeout(this.timer);
    if (this.pid === undefined || !alive.delete(this.pid)) return;
    signalTo(-this.pid, 'SIGKILL');
    reaper.remove(this.pid);
  }
}

function signalTo(process_: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process_, signal);
  } catch {
    // It has ended.
  }
}
