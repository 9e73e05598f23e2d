import type { Tx } from '../database/database.js';
import { loadFanOutFacts } from './settlement/load-fan-out-facts.sql.js';

/** What never changes of a fan-out. */
export interface FanOutFacts {
  readonly id: number;
  readonly parentId: string;
  readonly rootId: string;
  readonly node: number;
  readonly depth: number;
  readonly childVersionId: number;
  readonly childPath: readonly number[];
  readonly queue: string | null;
}

const capacity = 5_000;

/** Facts of fan-outs, kept as they never change. */
export class FanOutFactSource {
  private readonly known = new Map<number, FanOutFacts>();

  /** @returns the facts of those that exist */
  async of(tx: Tx, ids: readonly number[]): Promise<ReadonlyMap<number, FanOutFacts>> {
    const found = new Map<number, FanOutFacts>();
    const missing: number[] = [];
    for (const id of new Set(ids)) {
      const facts = this.known.get(id);
      if (facts) found.set(id, facts);
      else missing.push(id);
    }
    if (missing.length > 0) {
      const { rows } = await tx.query(loadFanOutFacts, [missing]);
      for (const r of rows) {
        const facts: FanOutFacts = {
          id: r.id as number,
          parentId: r.parent_id as string,
          rootId: r.root_id as string,
          node: r.node as number,
          depth: r.depth as number,
          childVersionId: r.child_version_id as number,
          childPath: r.child_path as number[],
          queue: r.queue as string | null,
        };
        if (this.known.size >= capacity) this.known.delete(this.known.keys().next().value as number);
        this.known.set(facts.id, facts);
        found.set(facts.id, facts);
      }
    }
    return found;
  }
}
