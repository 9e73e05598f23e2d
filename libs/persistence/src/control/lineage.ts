import type { ExecutionState } from '@app/domain';
import type { Tx } from '../database/database.js';
import { lockLineage } from './lock-lineage.sql.js';
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
  } | null;
  readonly mark: 'pause' | 'cancel' | null;
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

/** Whether anything below an execution is open. */
export async function openBelow(tx: Tx, id: string, root: string): Promise<boolean> {
  return (await tx.query<{ open: boolean }>(anythingOpenBelow, [id, root])).rows[0]!.open;
}
