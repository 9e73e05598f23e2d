import {
  childId,
  childIdRange,
  itemIndexOf,
  type ExecutionState,
  type ReleasedCounts,
  type StageHold,
} from '@app/domain';
import type { Tx } from '../../database/database.js';
import { acceptStages } from '../../control/accept-stages.sql.js';
import { takeFirstSignal } from '../signals/take-first-signal.sql.js';
import { outputOf, type OutputNodes } from '../output-nodes.js';
import { addControl } from './add-control.sql.js';
import { countReleased } from './count-released.sql.js';
import { findDue } from './find-due.sql.js';
import { firstFailures } from './first-failures.sql.js';
import { giveVerdicts } from './give-verdicts.sql.js';
import { inlineResults } from './inline-results.sql.js';
import { lockDue } from './lock-due.sql.js';
import { lockMarks } from './lock-marks.sql.js';
import { lockTallies } from './lock-tallies.sql.js';
import { moveStage } from './move-stage.sql.js';
import { setAsideDue } from './set-aside-due.sql.js';
import { takeDue } from './take-due.sql.js';

export interface DueFanOut {
  readonly id: number;
  readonly parentId: string;
  readonly rootId: string;
  readonly node: number;
  readonly mergeNode: number | null;
  readonly childVersionId: number;
  readonly childPath: readonly number[];
  readonly round: number;
  readonly generation: number;
  readonly verdict: 'open' | 'passed' | 'failed';
  readonly sealed: boolean;
  readonly closed: boolean;
  /** By an operator: what was not spawned counts as cancelled. */
  readonly cancelled: boolean;
  readonly spawned: number;
  readonly total: number | null;
  /** Children that its stages have released; null: it has no stages. */
  readonly released: number | null;
  readonly stage: number;
  readonly stageHold: StageHold;
  /** JSON text of an operator's override. */
  readonly tolerance: string | null;
  /** Unfinished commands that hold the verdict. */
  readonly held: number;
  readonly tally: { readonly succeeded: number; readonly failed: number; readonly cancelled: number };
}

/** Where a fan-out is within its stages. */
export interface StagePlace {
  readonly stage: number;
  readonly released: number;
  readonly hold: StageHold;
}

export interface InlineResult {
  readonly index: number;
  readonly state: ExecutionState;
  readonly key: string | null;
  readonly error: string | null;
  readonly output: string | null;
}

/** Fan-outs that may have a verdict. */
export class MergeStore {
  async due(db: Tx, most: number): Promise<number[]> {
    return (await db.query<{ id: number }>(findDue, [most])).rows.map((r) => r.id);
  }

  /** Of these, the ones that are due and that nobody else looks at; they are the caller's until the transaction ends. */
  async lockMarks(tx: Tx, ids: readonly number[]): Promise<{ id: number; parentId: string }[]> {
    const { rows } = await tx.query<{ id: number; parent_id: string }>(lockMarks, [ids]);
    return rows.map((r) => ({ id: r.id, parentId: r.parent_id }));
  }

  async setAside(db: Tx, id: number, forMs: number): Promise<void> {
    await db.query(setAsideDue, [id, forMs]);
  }

  /** Locks control rows, then tallies, and takes the fan-outs off the due list. */
  async lock(tx: Tx, ids: readonly number[]): Promise<DueFanOut[]> {
    const sorted = [...ids].sort((a, b) => a - b);
    const fanOuts = await tx.query(lockDue, [sorted]);
    const tallies = new Map((await tx.query(lockTallies, [sorted])).rows.map((r) => [r.fan_out_id as number, r]));
    await tx.query(takeDue, [sorted]);
    return fanOuts.rows.map((r) => {
      const tally = tallies.get(r.id as number)!;
      return {
        id: r.id as number,
        parentId: r.parent_id as string,
        rootId: r.root_id as string,
        node: r.node as number,
        mergeNode: r.merge_node as number | null,
        childVersionId: r.child_version_id as number,
        childPath: r.child_path as number[],
        round: r.round as number,
        generation: r.generation as number,
        verdict: r.verdict as DueFanOut['verdict'],
        sealed: r.sealed as boolean,
        closed: r.closed as boolean,
        cancelled: r.cancelled as boolean,
        spawned: r.spawned as number,
        total: r.total as number | null,
        released: r.released as number | null,
        stage: r.stage as number,
        stageHold: r.stage_hold as StageHold,
        tolerance: r.tolerance as string | null,
        held: r.held as number,
        tally: {
          succeeded: tally.succeeded as number,
          failed: tally.failed as number,
          cancelled: tally.cancelled as number,
        },
      };
    });
  }

  /** @returns the fan-outs whose verdict this is */
  async giveVerdicts(
    tx: Tx,
    verdicts: readonly { fanOut: DueFanOut; verdict: 'passed' | 'failed'; reason: string; closes: boolean }[],
  ): Promise<ReadonlySet<number>> {
    if (verdicts.length === 0) return new Set();
    const { rows } = await tx.query<{ id: number }>(giveVerdicts, [
      verdicts.map((v) => v.fanOut.id),
      verdicts.map((v) => v.fanOut.round),
      verdicts.map((v) => v.verdict),
      verdicts.map((v) => v.reason),
      verdicts.map((v) => v.closes),
    ]);
    return new Set(rows.map((r) => r.id));
  }

  /** The first child by position that did not succeed. */
  async firstFailure(tx: Tx, f: DueFanOut): Promise<object | null> {
    const { rows } = await tx.query(firstFailures, childIdRange(f.rootId, f.id));
    const r = rows[0];
    if (!r) return null;
    const error = r.error ? (JSON.parse(r.error as string) as { code?: string; message?: string }) : {};
    return {
      id: r.id as string,
      itemIndex: itemIndexOf(r.id as string),
      state: (r.state as string).toUpperCase(),
      code: error.code,
      message: error.message,
    };
  }

  async inlineResults(tx: Tx, f: DueFanOut, outputs: OutputNodes, most: number): Promise<InlineResult[]> {
    const { rows } = await tx.query(inlineResults, [...childIdRange(f.rootId, f.id), outputs.nodes, most]);
    return rows.map((r) => ({
      index: itemIndexOf(r.id as string),
      state: r.state as ExecutionState,
      key: r.item_key as string | null,
      error: r.error as string | null,
      output: outputOf(outputs, r.nodes as number[] | null, r.outputs as (string | null)[] | null),
    }));
  }

  /** The states of the first children, as many as are released. */
  async releasedCounts(tx: Tx, f: DueFanOut, released: number): Promise<ReleasedCounts> {
    const last = Math.min(released, f.spawned) - 1;
    if (last < 0) return { failed: 0, open: 0 };
    const range = [childId(f.rootId, f.id, 0), childId(f.rootId, f.id, last)];
    return (await tx.query<ReleasedCounts & { id: string }>(countReleased, range)).rows[0]!;
  }

  /** Moves a fan-out within its stages, with the failures that stopped it; the caller has its control row. */
  async moveStage(tx: Tx, f: DueFanOut, to: StagePlace, failed: number | null): Promise<void> {
    await tx.query(moveStage, [f.id, to.stage, to.released, to.hold, failed]);
  }

  /**
   * An approval that came before it was asked for counts: a signal named like the spawner. The caller has the control row.
   * @returns whether there was one
   */
  async approveEarly(tx: Tx, f: DueFanOut, spawnerId: string): Promise<boolean> {
    const taken = await tx.query(takeFirstSignal, [f.parentId, spawnerId]);
    if (taken.rowCount === 0) return false;
    await tx.query(acceptStages, [f.parentId, 'approval', f.node]);
    return true;
  }

  /** The parent of a fan-out that stopped at a stage is paused by a command, behind the gate. */
  async pauseParent(tx: Tx, f: DueFanOut): Promise<void> {
    await tx.query(addControl, ['rollout_stop', f.parentId, f.rootId, f.id, f.round, null]);
  }

  /** The rest of fan-outs that closed early is cancelled by a command. */
  async cancelRest(tx: Tx, fanOuts: readonly DueFanOut[]): Promise<void> {
    for (const f of fanOuts) await tx.query(addControl, ['fail_fast', f.parentId, f.rootId, f.id, f.round, null]);
  }
}
