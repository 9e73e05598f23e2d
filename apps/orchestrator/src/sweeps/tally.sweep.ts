import { inTransaction, type Database, type TallyStore } from '@app/persistence';
import type { Clock, Logger } from '@app/runtime';
import type { Sweep } from './sweep.js';

/** At most this share of the time is spent on counting. */
const budgetMs = 600;

/**
 * Tally against children, in one snapshot each, a few open fan-outs at a time. Drift is a defect of ours: it is healed, and
 * loudly. A drift counts only when the tally's lock confirms it.
 */
export class TallySweep implements Sweep {
  readonly name = 'tally-check';
  readonly intervalMs = 60_000;
  private after = 0;

  constructor(
    private readonly database: Database,
    private readonly store: TallyStore,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  async runOnce(): Promise<number> {
    const startedAt = this.clock.monotonic();
    let healed = 0;
    const open = await this.store.open(this.database.any, this.after, 200);
    if (open.length === 0) this.after = 0;
    for (const id of open) {
      this.after = id;
      const drift = await this.store.drift(this.database.any, id);
      if (drift && (await inTransaction(this.database.pool, (tx) => this.store.heal(tx, id)))) {
        this.logger.error({ fanOut: id, drift }, 'a tally had drifted from its children; healed');
        healed++;
      }
      if (this.clock.monotonic() - startedAt > budgetMs) break;
    }
    return healed;
  }
}
