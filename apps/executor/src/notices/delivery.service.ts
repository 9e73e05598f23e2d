import { defaultRetryPolicy } from '@app/domain';
import type { ClaimedNotice, Database, NoticeStore, PlanSource } from '@app/persistence';
import type { Logger, Metrics, Random } from '@app/runtime';
import type { Performer } from '../running/performer.js';
import { claimMarginMs, outcomeOf, SideCalls, verdictOf } from '../running/side-calls.js';
import { deliveryTimeoutMs, noticeId, taskOfNotice } from './notice-task.js';

const mostDeliveries = 16;

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
  readonly calls: SideCalls<ClaimedNotice>;

  constructor(
    private readonly database: Database,
    private readonly store: NoticeStore,
    private readonly plans: PlanSource,
    private readonly notifier: Performer,
    private readonly random: Random,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.calls = new SideCalls({
      name: 'notices',
      most: mostDeliveries,
      claim: (most) => store.claim(database.any, { most, forMs: deliveryTimeoutMs + claimMarginMs }),
      perform: (notice, stopping) => this.deliver(notice, stopping),
      logger,
      metrics,
    });
  }

  private async deliver(notice: ClaimedNotice, stopping: AbortSignal): Promise<void> {
    const at = await this.plans.at(this.database.any, notice.versionId, []);
    const hook = at.whole.notify[notice.hook];
    if (!hook) throw new Error(`pipeline ${at.name} has no hook ${notice.hook}`);
    const task = taskOfNotice(notice, at, hook);
    const outcome = await outcomeOf(this.notifier, task, deliveryTimeoutMs, stopping);
    const verdict = verdictOf(outcome, notice, defaultRetryPolicy, this.random);
    const end = verdict.state === 'succeeded' ? ({ state: 'delivered' } as const) : verdict;
    await this.store.end(this.database.any, notice, end);
    if (notice.attempt === 1 && outcome.kind === 'snoozed' && outcome.error.code === 'SECRET.MISSING')
      this.logger.warn(
        { notice: noticeId(notice), executionId: notice.executionId, secret: outcome.error.secret },
        'a notice waits for a secret',
      );
    if (end.state === 'failed')
      this.logger.warn({ notice: noticeId(notice), executionId: notice.executionId }, 'a notice was not delivered');
  }
}
