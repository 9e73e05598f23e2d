import type { Tx } from '../../database/database.js';
import { beat } from './beat.sql.js';
import { handlerServes } from './handler-serves.sql.js';
import { heldTasks } from './held-tasks.sql.js';
import { pausedAmong } from './paused-among.sql.js';
import { longestLease } from './longest-lease.sql.js';
import { registerExecutor } from './register-executor.sql.js';
import { setExecutorState } from './set-executor-state.sql.js';
import { wakeForHandlers } from './wake-for-handlers.sql.js';

export interface Registration {
  readonly name: string;
  readonly slots: number;
  readonly queues: readonly string[];
  readonly handlers: readonly string[];
  /** That it performs: one of another release may know others. */
  readonly nodeTypes: readonly string[];
  readonly leaseMs: number;
  readonly heartbeatMs: number;
}

const mostWoken = 20_000;

export interface HeldTask {
  readonly executionId: string;
  readonly node: number;
  readonly fencingToken: number;
  readonly batchId: number;
}

/** Incarnations of executors and their leases. */
export class LeaseStore {
  /** Run by the heartbeat thread on a connection of its own. */
  readonly beatStatement = beat.text;

  async register(db: Tx, r: Registration): Promise<number> {
    const { rows } = await db.query<{ id: number }>(registerExecutor, [
      r.name,
      r.slots,
      r.queues,
      r.handlers,
      r.leaseMs,
      r.heartbeatMs,
      r.nodeTypes,
    ]);
    // Not one statement: who waits sees no row that is not committed.
    if (r.handlers.length > 0) await db.query(wakeForHandlers, [r.queues, mostWoken]);
    return rows[0]!.id;
  }

  /** Whether a live executor of the queue has the handler. */
  async handlerServes(db: Tx, queue: string, handler: string): Promise<boolean> {
    return (await db.query<{ serves: boolean }>(handlerServes, [queue, handler])).rows[0]!.serves;
  }

  async setState(db: Tx, incarnation: number, state: 'draining' | 'ended'): Promise<void> {
    await db.query(setExecutorState, [incarnation, state]);
  }

  /** What the database says an incarnation performs. */
  async held(db: Tx, incarnation: number): Promise<HeldTask[]> {
    const { rows } = await db.query(heldTasks, [incarnation]);
    return rows.map((r) => ({
      executionId: r.execution_id as string,
      node: r.node as number,
      fencingToken: r.fencing_token as number,
      batchId: r.batch_id as number,
    }));
  }

  /** Those of a few executions that a pause holds. */
  async pausedAmong(db: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set((await db.query<{ id: string }>(pausedAmong, [ids])).rows.map((r) => r.id));
  }
}

/** The longest lease of the executors there are, in milliseconds; 15 s when there is none. */
export async function longestLeaseMs(db: Tx): Promise<number> {
  const { rows } = await db.query<{ ms: number }>(longestLease);
  return rows[0]!.ms;
}
