import type { FailureDetail, NodeType, Outcome, Scope } from '@app/domain';
import type { CallEnd } from '../destinations/destination-throttle.js';
import type { Target } from '../destinations/target.js';
import type { ClaimedTask } from '../running/claimed-task.js';
import type { AttemptContext } from '../running/performer.js';
import type { AttemptSecrets } from './secrets.js';

/** One attempt, with everything that the performer of its node type may use. */
export interface Performance extends AttemptContext {
  readonly task: ClaimedTask;
  /** Secrets included. */
  readonly scope: Scope;
  readonly secrets: AttemptSecrets;
  /** Most bytes of output. */
  readonly maxOutput: number;
  /** A call has ended that began at that monotonic time: its destination learns from it. */
  ended(target: Target, end: CallEnd, began: number): void;
}

/** How an attempt ended, before the node's own error rules and limits are applied to it. */
export interface Ending {
  readonly outcome: Outcome;
  /** What the output is where a rule of the node makes a success of the failure; a failure where that cannot be. */
  readonly output?: string | null | AttemptFailure;
  /** Further text that `match` of the error rules is looked for in. */
  readonly matchable?: string;
  /** Where the call went: a snooze slows it down. */
  readonly target?: Target;
  /** Whether it was the destination that named the time to wait; true where nothing is said. */
  readonly itself?: boolean;
}

/** Performs the attempts of one node type. */
export interface NodePerformer {
  readonly type: NodeType;
  perform(performance: Performance): Promise<Ending>;
}

/** An attempt that cannot be made now through no fault of the task: it waits, uncharged, and no error rule applies. */
export class NotNow extends Error {
  override readonly name = 'NotNow';

  constructor(
    readonly code: string,
    message: string,
    readonly waitMs: number,
    readonly facts: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

/** An attempt that failed, thrown from wherever that is found out. */
export class AttemptFailure extends Error {
  override readonly name = 'AttemptFailure';

  constructor(
    readonly failureClass: 'PERMANENT' | 'TRANSIENT',
    readonly code: string,
    message: string,
    readonly facts: Omit<Partial<FailureDetail>, 'class' | 'code' | 'message'> = {},
  ) {
    super(message);
  }
}

/**
 * How long a task waits before it looks again: longer each time, as at most 100 snoozes are free of charge.
 * @param attempt from 1
 */
export function patience(attempt: number, firstMs: number, mostMs: number): number {
  return Math.round(Math.min(mostMs, firstMs * 1.2 ** Math.min(attempt - 1, 200)));
}
