import { defaultRetryPolicy, nextAttemptDelay, type FailureDetail, type Outcome } from '@app/domain';
import type { ClaimedNotice, Database, DeliveryEnd, NoticeStore, PlanSource } from '@app/persistence';
import { Loop, type Logger, type Metrics, type Random } from '@app/runtime';
import type { Performer } from '../running/performer.js';
import { deliveryTimeoutMs, noticeId, taskOfNotice } from './notice-task.js';

/** Calls at once in one executor; they take no slots. */
export const mostDeliveries = 16;
/** As of tasks: so often a notice is put back for later without a charge. */
const mostSnoozes = 100;
/** After the time-out of its call and this, a claim counts for nothing and somebody else may have it. */
const marginMs = 15_000;

/**
 * Delivers notices of outcomes.
 *
 * Promises. A notice is there since the transaction of its outcome, so it is delivered at least once, or says why not; each
 * delivery carries the same id and body. How it goes changes nothing about the execution. Retries follow the default policy, on
 * the database's clock.
 *
 * Dying between any two lines: a claimed notice is due again when its claim's time is over, and that attempt was charged. An answer
 * that came but was not recorded means one more delivery with the same id.
 */
export class DeliveryService {
  private readonly loop: Loop;
  private readonly inFlight = new Set<Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly database: Database,
    private readonly store: NoticeStore,
    private readonly plans: PlanSource,
    private readonly notifier: Performer,
    private readonly random: Random,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.loop = new Loop({ name: 'notices', intervalMs: 1_000, runOnce: () => this.runOnce(), logger, metrics });
  }

  get loops(): readonly Loop[] {
    return [this.loop];
  }

  start(): void {
    this.loop.start();
  }

  /** Claims what is due and there is room for; deliveries go on in the background. */
  async runOnce(): Promise<number> {
    const most = mostDeliveries - this.inFlight.size;
    if (most <= 0) return 0;
    const notices = await this.store.claim(this.database.any, { most, forMs: deliveryTimeoutMs + marginMs });
    for (const notice of notices) {
      const run = this.deliver(notice)
        .catch((error: unknown) =>
          this.logger.warn({ err: error, notice: noticeId(notice) }, 'a notice is tried again when its claim is over'),
        )
        .finally(() => {
          this.inFlight.delete(run);
          if (this.inFlight.size === mostDeliveries - 1) this.loop.ring();
        });
      this.inFlight.add(run);
    }
    return notices.length === most ? 0 : notices.length;
  }

  /** Calls that have not ended by then are cut off and handed back. */
  async drain(graceMs: number): Promise<void> {
    await this.loop.stop();
    const timer = setTimeout(() => this.stopping.abort(new Error('drain')), graceMs);
    await Promise.all(this.inFlight);
    clearTimeout(timer);
  }

  private async deliver(notice: ClaimedNotice): Promise<void> {
    const at = await this.plans.at(this.database.any, notice.versionId, []);
    const hook = at.whole.notify[notice.hook];
    if (!hook) throw new Error(`pipeline ${at.name} has no hook ${notice.hook}`);
    const timeout = AbortSignal.timeout(deliveryTimeoutMs);
    const signal = AbortSignal.any([this.stopping.signal, timeout]);
    const outcome = await this.notifier.perform(taskOfNotice(notice, at, hook), { signal, log: () => undefined });
    const late = outcome.kind === 'interrupted' && timeout.aborted;
    const end = this.endOf(notice, late ? tooLate : outcome);
    await this.store.end(this.database.any, notice, end);
    if (end.state === 'failed')
      this.logger.warn({ notice: noticeId(notice), executionId: notice.executionId }, 'a notice was not delivered');
  }

  private endOf(notice: ClaimedNotice, outcome: Outcome): DeliveryEnd {
    const { charged, attempt } = notice;
    switch (outcome.kind) {
      case 'succeeded':
        return { state: 'delivered' };
      case 'failed': {
        const error = JSON.stringify(outcome.error);
        const waitMs =
          outcome.class === 'PERMANENT'
            ? null
            : nextAttemptDelay(defaultRetryPolicy, charged + 1, this.random.fraction());
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
}

const late: FailureDetail = {
  class: 'TIMEOUT',
  code: 'TASK.TIMED_OUT',
  message: `no answer within ${deliveryTimeoutMs} ms`,
};
const tooLate: Outcome = { kind: 'failed', class: 'TIMEOUT', error: late };
