import { inTransaction, type Database, type FanOutToSpawn, type QuotaStore, type SpawnStore } from '@app/persistence';
import { SpawnFailure } from './spawn-failure.js';

const all = 'all';

/**
 * All of a list or none of it: its whole count is judged before the first child is born.
 *
 * Promises. Judgements of the same quota come one after the other, as its row is held; so do starts. A fan-out within its quota is noted
 * as such in the same transaction, and all its children count from then on, whether they are spawned yet or not. So of two that fit
 * only alone, one is refused as a whole. Nothing is taken here where no quota is set: that is one look by key.
 *
 * Locks in order: quotas by scope, control row. Dying between any two lines: it is judged again.
 */
export class QuotaCheck {
  constructor(
    private readonly database: Database,
    private readonly quotas: QuotaStore,
    private readonly store: SpawnStore,
  ) {}

  /**
   * @param parent pipeline whose spawner it is: bounds the children of one fan-out
   * @param children pipeline the children belong to: bounds what is open; of an inline child it is the same
   * @throws SpawnFailure QUOTA.EXCEEDED, with scope, limit and counts
   */
  async judge(f: FanOutToSpawn, { parent, children }: { parent: string; children: string }): Promise<void> {
    if (f.withinQuota) return;
    const quotas = await this.quotas.of(this.database.any, { scopes: [all, parent, children] });
    const total = f.total ?? 0;
    const perFanOut = quotas
      .filter(({ scope }) => scope === all || scope === parent)
      .flatMap(({ scope, maxChildrenPerFanOut: limit }) => (limit === null ? [] : [{ scope, limit }]))
      .sort((a, b) => a.limit - b.limit)[0];
    if (perFanOut && total > perFanOut.limit) {
      const { scope, limit } = perFanOut;
      throw exceeded(`the quota of ${scope} allows ${limit} children in a fan-out, and the list has ${total}`, {
        scope,
        limit,
        total,
      });
    }
    const open = quotas.filter(
      ({ scope, maxOpenExecutions }) => maxOpenExecutions !== null && (scope === all || scope === children),
    );
    if (open.length > 0) await this.judgeOpen(f, total, children);
  }

  private async judgeOpen(f: FanOutToSpawn, total: number, children: string): Promise<void> {
    while (await this.quotas.forgetSettled(this.database.any));
    await inTransaction(this.database.pool, async (tx) => {
      const held = await this.quotas.hold(tx, { scopes: [all, children] });
      if (!(await this.store.lockUnjudged(tx, f.id))) return;
      for (const { scope, maxOpenExecutions: limit } of held) {
        const open = await this.quotas.openExecutions(tx, { pipeline: scope === all ? null : children });
        if (open + total <= limit) continue;
        const sentence = `the quota of ${scope} allows ${limit} open executions, ${open} are open, and the list has ${total}`;
        throw exceeded(sentence, { scope, limit, open, total });
      }
      if (held.length > 0) await this.store.noteWithinQuota(tx, f.id);
    });
  }
}

function exceeded(sentence: string, facts: Readonly<Record<string, unknown>>): SpawnFailure {
  return new SpawnFailure('QUOTA.EXCEEDED', sentence, facts, 'QUOTA_EXCEEDED');
}
