import { nextAttemptDelay, type FailureDetail, type Outcome, type RetryPolicy } from '@app/domain';
import { Loop, type Logger, type Metrics, type Random } from '@app/runtime';
import type { ClaimedTask } from './claimed-task.js';
import type { Performer } from './performer.js';

/** So often a call is put back for later without a charge, whatever it waits for; then it has failed. */
const mostSnoozes = 100;

/** After the time-out of a call and this, its claim counts for nothing and somebody else may have it. */
export const claimMarginMs = 15_000;

export interface SideCallsOptions<Call> {
  /** Of its loop. */
  readonly name: string;
  /** At once in one executor; they take no slots. */
  readonly most: number;
  claim(most: number): Promise<readonly Call[]>;
  perform(call: Call, stopping: AbortSignal): Promise<void>;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * Calls that are no tasks: few, and found by a poll in a narrow table of their own. Claimed ones are performed in the background; a
 * row whose claimer is gone is due again when the time of its claim is over.
 */
export class SideCalls<Call> {
  readonly loop: Loop;
  private readonly inFlight = new Set<Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(private readonly options: SideCallsOptions<Call>) {
    const { name, logger, metrics } = options;
    this.loop = new Loop({ name, intervalMs: 500, runOnce: () => this.runOnce(), logger, metrics });
  }

  start(): void {
    this.loop.start();
  }

  /** Calls that have not ended by then are cut off and handed back. */
  async drain(graceMs: number): Promise<void> {
    await this.loop.stop();
    const timer = setTimeout(() => this.stopping.abort(new Error('drain')), graceMs);
    await Promise.all(this.inFlight);
    clearTimeout(timer);
  }

  private async runOnce(): Promise<number> {
    const { most, name, logger } = this.options;
    const room = most - this.inFlight.size;
    if (room <= 0) return 0;
    const calls = await this.options.claim(room);
    for (const call of calls) {
      const run = this.options
        .perform(call, this.stopping.signal)
        .catch((error: unknown) =>
          logger.warn({ err: error, loop: name }, 'a call is made again when its claim is over'),
        )
        .finally(() => {
          this.inFlight.delete(run);
          if (this.inFlight.size === most - 1) this.loop.ring();
        });
      this.inFlight.add(run);
    }
    return calls.length === room ? 0 : calls.length;
  }
}

/** Performs one call with its time-out. */
export async function outcomeOf(
  performer: Performer,
  task: ClaimedTask,
  timeoutMs: number,
  stopping: AbortSignal,
): Promise<Outcome> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([stopping, timeout]);
  const outcome = await performer.perform(task, { signal, log: () => undefined });
  if (outcome.kind !== 'interrupted' || !timeout.aborted) return outcome;
  const error: FailureDetail = {
    class: 'TIMEOUT',
    code: 'TASK.TIMED_OUT',
    message: `no answer within ${timeoutMs} ms`,
  };
  return { kind: 'failed', class: 'TIMEOUT', error };
}

/** What becomes of a call that has ended: done, never, or again. Errors are JSON text. */
export type CallVerdict =
  | { readonly state: 'succeeded'; readonly output: string | null }
  | { readonly state: 'failed'; readonly charged: number; readonly error: string }
  | { readonly state: 'pending'; readonly charged: number; readonly waitMs: number; readonly error: string | null };

export function verdictOf(
  outcome: Outcome,
  { attempt, charged }: { readonly attempt: number; readonly charged: number },
  retry: RetryPolicy,
  random: Random,
): CallVerdict {
  switch (outcome.kind) {
    case 'succeeded':
      return { state: 'succeeded', output: outcome.output };
    case 'failed': {
      const error = JSON.stringify(outcome.error);
      const isFinal = outcome.class === 'PERMANENT';
      const waitMs = isFinal ? null : nextAttemptDelay(retry, charged + 1, random.fraction());
      if (waitMs === null) return { state: 'failed', charged: charged + 1, error };
      return { state: 'pending', charged: charged + 1, waitMs, error };
    }
    case 'snoozed': {
      const error = JSON.stringify(outcome.error);
      if (attempt - charged > mostSnoozes) return { state: 'failed', charged, error };
      return { state: 'pending', charged, waitMs: outcome.waitMs, error };
    }
    case 'interrupted':
    case 'cancelled':
      return { state: 'pending', charged, waitMs: 0, error: null };
  }
}
