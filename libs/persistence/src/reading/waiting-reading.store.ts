import { readRate, readRateState, type DestinationLimits, type StageHold, type TaskState } from '@app/domain';
import type { Tx } from '../database/database.js';
import { fanOutOpened } from './fan-out-opened.sql.js';
import { liveQueues } from './live-queues.sql.js';
import { waitingDestinations } from './waiting-destinations.sql.js';
import { waitingMarks } from './waiting-marks.sql.js';
import { waitingTasks } from './waiting-tasks.sql.js';

export interface WaitingTask {
  readonly node: number;
  readonly state: TaskState;
  readonly attempt: number;
  readonly error: string | null;
  readonly startedAt: Date | null;
  readonly incarnation: number | null;
  /** When it is to be tried again; null where it may be tried now. */
  readonly availableAt: Date | null;
  readonly destinations: string[];
  /** When its timer is due. */
  readonly dueAt: Date | null;
}
export interface WaitingDestination extends DestinationLimits {
  readonly name: string;
  /** Its breaker is not closed: one call at a time finds out whether it may be. */
  readonly isProbed: boolean;
  readonly isPaused: boolean;
  /** To pressure that there is. */
  readonly givesWay: boolean;
}
export interface LiveExecutor {
  readonly queues: string[];
  readonly handlers: string[];
  readonly nodeTypes: string[];
  readonly freeSlots: number;
}
export interface OpenedFanOut {
  readonly queue: string;
  readonly cursor: number;
  /** Children admitted and not settled. */
  readonly open: number;
  readonly maxConcurrency: number | null;
  /** So many of its tasks wait to be admitted again that no more children are started. */
  readonly backlogged: boolean;
  readonly closed: boolean;
  /** Children that its stages have released; null: it has no stages. */
  readonly released: number | null;
  readonly stage: number;
  readonly stageHold: StageHold;
}
export interface Mark {
  readonly kind: 'release' | 'pause' | 'cancel';
  readonly executionId: string;
  /** The node whose fan-out of that execution it is on; null: it is on the execution. */
  readonly spawner: number | null;
  /** Why, where no operator made it. */
  readonly reason: string | null;
}

/** What executions wait for. */
export class WaitingReadingStore {
  /** The nearest first. A release ends the reach of pauses further away. */
  async marks(tx: Tx, args: { id: string }): Promise<Mark[]> {
    return (await tx.query<Mark>(waitingMarks, [args.id])).rows;
  }

  async tasks(tx: Tx, args: { id: string }): Promise<WaitingTask[]> {
    return (await tx.query<WaitingTask>(waitingTasks, [args.id])).rows;
  }

  /** Those that limit anything, with what they have now. */
  async destinations(
    tx: Tx,
    args: { names: readonly string[]; hosts: readonly string[] },
  ): Promise<WaitingDestination[]> {
    const { rows } = await tx.query<
      Omit<WaitingDestination, 'rate' | 'rateState'> & { rate: string; rateState: string }
    >(waitingDestinations, [args.names, args.hosts]);
    return rows.map((row) => ({ ...row, rate: readRate(row.rate), rateState: readRateState(row.rateState) }));
  }

  async liveExecutors(tx: Tx): Promise<LiveExecutor[]> {
    return (await tx.query<LiveExecutor>(liveQueues)).rows;
  }

  async opened(tx: Tx, args: { fanOutId: number }): Promise<OpenedFanOut | null> {
    return (await tx.query<OpenedFanOut>(fanOutOpened, [args.fanOutId])).rows[0] ?? null;
  }
}
