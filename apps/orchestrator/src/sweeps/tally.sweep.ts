import { inTransaction, type Database, type TallyStore } from '@app/persistence';
import type { Clock, Logger } from '@app/runtime';
import { executorLost } from './executor-lost.js';
import type { Sweep } from './sweep.js';

/** At most this share of the time is spent on counting. */
const budgetMs = 600;

/**
 * Tally against children, in one snapshot each, a few open fan-outs at a time. Drift is a defect of ours: it is healed, and
 * loudly. A drift counts only when the tally's lock confirms it. Whichever of them has ended as far as a verdict or a stage needs is
 * looked at, whether anything has marked it or not.
 */
export class TallySweep implements Sweep {
  readonly name = 'tally-check';
  readonly intervalMs = 60_000;
  private after = 0;
  private settled = new Map<number, number>();

  constructor(
    private readonly database: Database,
    private readonly store: TallyStore,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /**
   * A fan-out of which nothing has settled since the last look may just be slow, or hold tasks that no narrow table names
   * any more. Nothing should make any: whatever it finds is a defect of ours, brought back and told.
   */
  private async bringBack(id: number): Promise<number> {
    const settled = await this.store.settled(this.database.any, id);
    const before = this.settled.get(id);
    if (this.settled.size > 10_000) this.settled.clear();
    this.settled.set(id, settled);
    if (before !== settled) return 0;
    const orphans = await this.store.bringBackOrphans(this.database.any, id, executorLost, 1_000);
    if (orphans > 0)
      this.logger.error({ fanOut: id, tasks: orphans }, 'tasks that nothing named any more were brought back');
    return orphans;
  }

  async runOnce(): Promise<number> {
    const startedAt = this.clock.monotonic();
    let healed = 0;
    const open = await this.store.open(this.database.any, this.after, 200);
    if (open.length === 0) this.after = 0;
    else await this.store.askForVerdicts(this.database.any, open);
    for (const id of open) {
      this.after = id;
      healed += await this.bringBack(id);
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
