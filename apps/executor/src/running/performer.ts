import type { NodeType, Outcome } from '@app/domain';
import type { ClaimedTask } from './claimed-task.js';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** What a performer may use while it performs one attempt. */
export interface AttemptContext {
  /** Aborted when the attempt timed out, was cancelled, or the executor drains or lost its lease. */
  readonly signal: AbortSignal;
  log(level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** Performs the tasks of one node type. Never throws for what a destination or a user's code does: that is an outcome. */
export interface Performer {
  readonly type: NodeType;
  perform(task: ClaimedTask, context: AttemptContext): Promise<Outcome>;
}
