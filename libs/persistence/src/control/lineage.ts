import type { ExecutionState } from '@app/domain';
import type { Tx } from '../database/database.js';
import { lockLineage } from './lock-lineage.sql.js';
import { markOfChildren } from './mark-of-children.sql.js';
import { readLineage } from './read-lineage.sql.js';
import { anythingOpenBelow } from './anything-open-below.sql.js';

/** One level of an execution's ancestry, the execution itself at 0. */
export interface LineageLevel {
  readonly id: string;
  readonly state: ExecutionState;
  readonly versionId: number;
  readonly businessKey: string | null;
  /** The fan-out it is a child of, with the verdict of its merge. */
  readonly fanOut: {
    readonly id: number;
    readonly spawner: number;
    readonly mergeNode: number | null;
    readonly verdict: 'open' | 'passed' | 'failed';
    readonly verdictReason: string | null;
    readonly sealed: boolean;
    readonly closed: boolean;
    readonly parentId: string;
    /** Of the fan-out itself. */
    readonly mark: 'pause' | 'cancel' | null;
  } | null;
  readonly mark: 'release' | 'pause' | 'cancel' | null;
}

/** Reads an execution's ancestry, nearest first; empty when there is no such execution. */
export async function lineageOf(db: Tx, id: string): Promise<LineageLevel[]> {
  const { rows } = await db.query(readLineage, [id]);
  return rows.map((r) => ({
    id: r.id as string,
    state: r.state as ExecutionState,
    versionId: r.version_id as number,
    businessKey: r.business_key as string | null,
    fanOut:
      r.fan_out_id === null
        ? null
        : {
            id: r.fan_out_id as number,
            spawner: r.spawner as number,
            mergeNode: r.merge_node as number | null,
            verdict: r.verdict as 'open' | 'passed' | 'failed',
            verdictReason: r.verdict_reason as string | null,
            sealed: r.sealed as boolean,
            closed: r.closed as boolean,
            parentId: r.parent_id as string,
            mark: r.fan_out_mark as 'pause' | 'cancel' | null,
          },
    mark: r.mark as LineageLevel['mark'],
  }));
}

/** Locks a lineage from the root down and reads it again behind the locks. */
export async function lockedLineage(tx: Tx, id: string): Promise<LineageLevel[]> {
  const seen = await lineageOf(tx, id);
  await tx.query(lockLineage, [seen.map((l) => l.id).reverse()]);
  return lineageOf(tx, id);
}

/** The nearest execution above that is cancelled, or whose fan-out on the way down is being cancelled. */
export function cancelledAbove(levels: readonly LineageLevel[]): string | null {
  for (const [i, level] of levels.entries()) {
    if (i > 0 && (level.state === 'cancelled' || level.mark === 'cancel')) return level.id;
    if (level.fanOut?.mark === 'cancel') return level.fanOut.parentId;
  }
  return null;
}

/** What holds an execution from above: null where nothing does, or where something nearer was released. */
export async function heldFromAbove(tx: Tx, { fanOut }: LineageLevel): Promise<'pause' | 'cancel' | null> {
  if (!fanOut) return null;
  const { rows } = await tx.query<{ mark: 'pause' | 'cancel' | null }>(markOfChildren, [fanOut.parentId, fanOut.id]);
  return rows[0]!.mark;
}

/** Whether anything below an execution is open. */
export async function openBelow(tx: Tx, id: string, root: string): Promise<boolean> {
  return (await tx.query<{ open: boolean }>(anythingOpenBelow, [id, root])).rows[0]!.open;
}
