import type { Tx } from '../database/database.js';
import type { ExecutionStateName } from './execution-columns.js';
import type { FanOutRow } from './fan-out-columns.js';
import { groupFailures } from './group-failures.sql.js';
import { listFanOutsInRanges } from './list-fan-outs-in-ranges.sql.js';
import { listFanOuts } from './list-fan-outs.sql.js';
import { openBelowRoots } from './open-descendants.sql.js';
import { readFailedItems } from './read-failed-items.sql.js';
import { readResults } from './read-results.sql.js';
import { sumFanOutsOfRoot } from './sum-fan-outs-of-root.sql.js';

/** The counts that the states of children are derived from. */
export type FanOutCounts = Pick<
  FanOutRow,
  'spawned' | 'admitCursor' | 'succeeded' | 'failed' | 'cancelled' | 'paused' | 'comingBack' | 'handedOut'
>;
export interface FailureGroup {
  readonly fingerprint: string;
  readonly count: number;
  readonly sampleId: string;
  readonly error: string | null;
}
export interface ResultRow {
  readonly id: string;
  readonly state: ExecutionStateName;
  readonly itemKey: string | null;
  readonly error: string | null;
  readonly node: number | null;
  readonly output: string | null;
}
export interface FailedItem {
  readonly id: string;
  readonly item: string;
  readonly error: string | null;
}

/** Fan-outs and their children as people look at them. */
export class FanOutReadingStore {
  /** Every generation, by parent, position of the spawner and generation. */
  async ofParents(tx: Tx, args: { parentIds: readonly string[] }): Promise<FanOutRow[]> {
    return args.parentIds.length === 0 ? [] : (await tx.query<FanOutRow>(listFanOuts, [args.parentIds])).rows;
  }

  /** Those of parents that lie in ranges of ids. */
  async inRanges(tx: Tx, args: { ranges: readonly (readonly [string, string])[] }): Promise<FanOutRow[]> {
    const { ranges } = args;
    if (ranges.length === 0) return [];
    return (await tx.query<FanOutRow>(listFanOutsInRanges, [ranges.map((r) => r[0]), ranges.map((r) => r[1])])).rows;
  }

  async sumOfRoot(tx: Tx, args: { rootId: string }): Promise<FanOutCounts> {
    return (await tx.query<FanOutCounts>(sumFanOutsOfRoot, [args.rootId])).rows[0]!;
  }

  /** Open descendants by root; a root that is left out has none. */
  async openBelowRoots(tx: Tx, args: { rootIds: readonly string[] }): Promise<{ id: string; open: number }[]> {
    if (args.rootIds.length === 0) return [];
    return (await tx.query<{ id: string; open: number }>(openBelowRoots, [args.rootIds])).rows;
  }

  async failureGroups(tx: Tx, args: { first: string; last: string }): Promise<FailureGroup[]> {
    return (await tx.query<FailureGroup>(groupFailures, [args.first, args.last])).rows;
  }

  /** Outputs of children in item order, one row each; a child without output has one row with no node. */
  async results(
    tx: Tx,
    args: { after: string; to: string; limit: number; nodes: readonly number[]; maxBytes: number },
  ): Promise<ResultRow[]> {
    return (await tx.query<ResultRow>(readResults, [args.after, args.to, args.limit, args.nodes, args.maxBytes])).rows;
  }

  async failedItems(tx: Tx, args: { ids: readonly string[] }): Promise<FailedItem[]> {
    return args.ids.length === 0 ? [] : (await tx.query<FailedItem>(readFailedItems, [args.ids])).rows;
  }
}
