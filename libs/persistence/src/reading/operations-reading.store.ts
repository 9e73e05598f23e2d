import type { Tx } from '../database/database.js';
import { backlogCurve } from './backlog-curve.sql.js';
import { listExecutors } from './list-executors.sql.js';

export interface ExecutorRow {
  /** The incarnation. */
  readonly id: number;
  readonly name: string;
  readonly state: 'live' | 'draining' | 'lost' | 'ended';
  readonly slots: number;
  readonly freeSlots: number;
  readonly queues: string[];
  readonly handlers: string[];
  readonly leaseMs: number;
  readonly heartbeatMs: number;
  readonly host: string | null;
  readonly startedAt: Date;
  readonly seenAt: Date;
  readonly endedAt: Date | null;
  /** Tasks it holds. */
  readonly running: number;
}
export interface BacklogPoint {
  readonly at: Date;
  readonly queue: string;
  readonly pending: number;
  readonly ready: number;
  readonly running: number;
}

/** What operators watch: executors and the backlog. */
export class OperationsReadingStore {
  async executors(
    tx: Tx,
    args: { before: number | null; limit: number; states: readonly string[] | null },
  ): Promise<ExecutorRow[]> {
    return (await tx.query<ExecutorRow>(listExecutors, [args.before, args.limit, args.states])).rows;
  }

  async backlog(tx: Tx, args: { from: Date; stepSeconds: number; limit: number }): Promise<BacklogPoint[]> {
    return (await tx.query<BacklogPoint>(backlogCurve, [args.from, args.stepSeconds, args.limit])).rows;
  }
}
