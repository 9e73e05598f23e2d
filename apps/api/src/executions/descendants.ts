/**
 * What lies below an execution. Fan-outs of one level are found by ranges of ids over those of the level above, and only
 * where a child's plan can have children at all, so a plain fan-out of a million costs nothing here.
 */
import { childIdRange, type Plan } from '@app/domain';
import type { Database, ExecutionRow, FanOutCounts, FanOutReadingStore, FanOutRow } from '@app/persistence';
import { planAt, type Plans } from '../pipelines/plans.js';
import { groupBy } from '../request/group-by.js';
import { openCount } from './fan-out-counts.js';

const zero: FanOutCounts = {
  spawned: 0,
  admitCursor: 0,
  succeeded: 0,
  failed: 0,
  cancelled: 0,
  paused: 0,
  comingBack: 0,
  handedOut: 0,
};

export class Descendants {
  constructor(
    private readonly database: Database,
    private readonly fanOuts: FanOutReadingStore,
    private readonly plans: Plans,
  ) {}

  async open(execution: { id: string; rootId: string | null }, own: readonly FanOutRow[]): Promise<number> {
    return openCount(await this.counts(execution, own));
  }

  /** Open descendants of many executions at once; those whose plan has no children cost nothing. */
  async openOfAll(rows: readonly ExecutionRow[]): Promise<ReadonlyMap<string, number>> {
    const plans = await this.plans.ofAll(rows.map((row) => row.versionId));
    const parents = rows.filter((row) => canSpawn(planAt(plans.get(row.versionId)!.plan, row.childPath ?? [])));
    const rootIds = parents.filter((row) => row.fanOutId === null).map((row) => row.id);
    const below = await this.fanOuts.openBelowRoots(this.database.any, { rootIds });
    const open = new Map(below.map((row) => [row.id, Math.max(0, row.open)]));
    const nested = parents.filter((row) => row.fanOutId !== null);
    const own = await this.fanOuts.ofParents(this.database.any, { parentIds: nested.map((row) => row.id) });
    const byParent = groupBy(own, (fanOut) => fanOut.parentId);
    for (const row of nested) if (byParent.has(row.id)) open.set(row.id, await this.open(row, byParent.get(row.id)!));
    return open;
  }

  /** Counts of everything below, added up. `own` are the execution's own fan-outs, all generations. */
  async counts(execution: { id: string; rootId: string | null }, own: readonly FanOutRow[]): Promise<FanOutCounts> {
    const spawning = await this.spawning(own);
    if (spawning.length === 0) return sum(own);
    if (execution.rootId === null || execution.rootId === execution.id)
      return this.fanOuts.sumOfRoot(this.database.any, { rootId: execution.id });
    const all = [...own];
    for (let level = spawning; level.length > 0;) {
      const ranges = level.map((f) => childIdRange(f.rootId, f.id));
      const next = await this.fanOuts.inRanges(this.database.any, { ranges });
      all.push(...next);
      level = await this.spawning(next);
    }
    return sum(all);
  }

  /** Those whose children can have children of their own. */
  private async spawning(rows: readonly FanOutRow[]): Promise<FanOutRow[]> {
    const plans = await this.plans.ofAll(rows.map((row) => row.childVersionId));
    return rows.filter((row) => canSpawn(planAt(plans.get(row.childVersionId)!.plan, row.childPath)));
  }
}

/** Whether executions of the plan can have children. */
export function canSpawn(plan: Plan): boolean {
  return plan.nodes.some((node) => node.type === 'SPAWNER' || node.type === 'PIPELINE');
}

function sum(rows: readonly FanOutCounts[]): FanOutCounts {
  return rows.reduce(
    (a, b) => ({
      spawned: a.spawned + b.spawned,
      admitCursor: a.admitCursor + b.admitCursor,
      succeeded: a.succeeded + b.succeeded,
      failed: a.failed + b.failed,
      cancelled: a.cancelled + b.cancelled,
      paused: a.paused + b.paused,
      comingBack: a.comingBack + b.comingBack,
      handedOut: a.handedOut + b.handedOut,
    }),
    zero,
  );
}
