import { childId, childIdRange, isPerformed, isToleranceFailure } from '@app/domain';
import type { Tx } from '../database/database.js';
import type { FanOutFactSource } from '../execution-path/fan-out-facts.js';
import { destinationsOf, simpleStart, type PlanSource } from '../execution-path/plan-source.js';
import { addCommand } from './add-command.sql.js';
import { continueFanOuts } from './continue-fan-outs.sql.js';
import { countMatching } from './count-matching.sql.js';
import { lockMatching } from './lock-matching.sql.js';
import { redriveChildren } from './redrive-children.sql.js';
import { shiftTally } from './shift-tally.sql.js';
import { reopenCancelled } from './reopen-cancelled.sql.js';
import { isCancelling } from './is-cancelling.sql.js';
import { sealSpawned } from './seal-spawned.sql.js';
import { settledFanOut, type ControlAnswer, type ControlRefusal } from './control-answer.js';
import { fanOutForRedrive } from './fan-out-for-redrive.sql.js';
import { fanOutsOf } from './fan-outs-of.sql.js';
import type { LineageLevel } from './lineage.js';
import type { Place, Reopening } from './reopening.js';

export interface RedriveFilter {
  readonly state: readonly ('FAILED' | 'CANCELLED')[];
  readonly node?: string;
  readonly fingerprint?: string;
  readonly class?: string;
  readonly itemIndexes?: readonly number[];
  readonly dryRun?: boolean;
  /** SQL pattern of the error's text; the engine's own use. */
  readonly pattern?: string;
}

interface FanOutRow {
  readonly id: number;
  readonly root_id: string;
  readonly parent_id: string;
  readonly node: number;
  readonly merge_node: number | null;
  readonly verdict: 'open' | 'passed' | 'failed';
  readonly verdict_reason: string | null;
  readonly sealed: boolean;
  readonly closed: boolean;
  /** By an operator. */
  readonly cancelled: boolean;
  readonly round: number;
  readonly child_version_id: number;
  readonly child_path: number[];
  readonly child_node: number | null;
}

const pageSize = 1_000;

/**
 * Redrive: failed (or cancelled) children of a fan-out run again in place. The command is one `control` row, answered with
 * its count at once; children move in batches behind it; while it has not ended the verdict is held.
 *
 * Each child is counted by one redrive only: behind the gate, a redrive leaves out what those before it have counted and not moved
 * yet, and a page takes only what had ended when its command was given. Which of two commands moves a child first does not matter.
 */
export class Redriving {
  constructor(
    private readonly plans: PlanSource,
    private readonly facts: FanOutFactSource,
    private readonly reopening: Reopening,
  ) {}

  async redrive(
    tx: Tx,
    levels: readonly LineageLevel[],
    filter: RedriveFilter,
  ): Promise<ControlAnswer<{ matched: number; redriven: number }>> {
    const self = levels[0]!;
    const own = self.fanOut ? (await this.facts.of(tx, [self.fanOut.id])).get(self.fanOut.id)! : null;
    const at = await this.plans.at(tx, self.versionId, own?.childPath ?? []);
    const all = (await tx.query<FanOutRow>(fanOutsOf, [[self.id]])).rows;
    const chosen = all.filter(
      (f) =>
        filter.node === undefined ||
        [f.node, f.merge_node].some((n) => n !== null && at.plan.nodes[n]!.id === filter.node),
    );
    if (chosen.length === 0)
      return {
        ok: false,
        status: filter.node === undefined ? 409 : 404,
        code: 'FAN_OUT.NOT_FOUND',
        detail:
          filter.node === undefined ? 'this execution has no fan-out to redrive' : `node ${filter.node} has no fan-out`,
        state: self.state.toUpperCase(),
      };
    let matched = 0;
    for (const f of chosen) {
      const begun = await this.begin(tx, levels, f, filter);
      if (typeof begun !== 'number') return begun;
      matched += begun;
    }
    return { ok: true, matched, redriven: filter.dryRun ? 0 : matched };
  }

  private async begin(
    tx: Tx,
    levels: readonly LineageLevel[],
    f: FanOutRow,
    filter: RedriveFilter,
  ): Promise<number | ControlRefusal> {
    const { rows } = await tx.query<{ matched: number }>(countMatching, [...matching(f, filter), f.id]);
    const matched = rows[0]!.matched;
    const self = levels[0]!;
    // taken back as a whole, a spawner that was stopped goes on, also where there is no child yet
    const goesOn = isWhole(filter) && f.cancelled;
    if (matched === 0 && !(goesOn && f.closed && f.verdict !== 'passed')) return 0;
    if (!goesOn && f.verdict === 'open' && (await this.isCancelling(tx, self.id, f.id)))
      return settledFanOut('redriven', 'CANCELLING');
    if (filter.dryRun) return matched;
    const below: LineageLevel = {
      id: childId(f.root_id, f.id, 0),
      state: 'failed',
      versionId: f.child_version_id,
      businessKey: null,
      fanOut: {
        id: f.id,
        spawner: f.node,
        mergeNode: f.merge_node,
        verdict: f.verdict,
        verdictReason: null,
        sealed: f.sealed,
        closed: f.closed,
        parentId: self.id,
        mark: null,
      },
      mark: null,
    };
    await tx.query(reopenCancelled, [f.id, goesOn]);
    const fact = JSON.stringify({ redriven: matched });
    const refusal = await this.reopening.reopenAbove(tx, [below, ...levels], fact, goesOn);
    if (refusal) return refusal;
    await tx.query(sealSpawned, [f.id]);
    await tx.query(addCommand, ['redrive', self.id, f.root_id, f.id, f.round, JSON.stringify(filter), matched]);
    return matched;
  }

  private async isCancelling(tx: Tx, id: string, fanOut: number): Promise<boolean> {
    return (await tx.query<{ cancelling: boolean }>(isCancelling, [id, fanOut])).rows[0]!.cancelling;
  }

  /** One page of a redrive. @returns the last id looked at, null when there is nothing more */
  async page(
    tx: Tx,
    command: { readonly id: number; readonly fanOutId: number; readonly position: string | null },
    filter: RedriveFilter,
  ): Promise<{ moved: number; last: string | null }> {
    const f = (await tx.query<FanOutRow>(fanOutForRedrive, [command.fanOutId])).rows[0];
    if (!f) return { moved: 0, last: null };
    const values = matching(f, filter);
    if (command.position) values[0] = command.position;
    const { rows } = await tx.query<{ id: string; state: string }>(lockMatching, [...values, command.id, pageSize]);
    if (rows.length === 0) return { moved: 0, last: null };
    const ids = rows.map((r) => r.id);
    const last = rows.length < pageSize ? null : ids.at(-1)!;
    const at = await this.plans.at(tx, f.child_version_id, f.child_path);
    const [only] = at.plan.nodes;
    if (at.plan.nodes.length === 1 && isPerformed(only!.type) && at.plan.timeoutMs === null) {
      const result = await tx.query<{ moved: number }>(redriveChildren, [
        f.id,
        ids,
        [only!.index],
        [only!.queue],
        [JSON.stringify(destinationsOf(at, only!))],
        simpleStart(at.plan)?.index ?? null,
      ]);
      return { moved: result.rows[0]!.moved, last };
    }
    const running = await this.again(tx, { at, rootId: f.root_id, parentId: f.parent_id, fanOutId: f.id }, ids);
    const failed = rows.filter((r) => r.state === 'failed').length;
    await tx.query(shiftTally, [f.id, -failed, failed - rows.length, -running.size]);
    return { moved: rows.length, last };
  }

  /**
   * Failed executions again: where a merge failed, the failed children below it; where a spawner did, on from
   * its cursor with the children there are attached as they are; else the failed nodes.
   * @returns those that run at once, without admission
   */
  async again(tx: Tx, place: Place, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const spawns = place.at.plan.nodes.some((n) => !isPerformed(n.type));
    const fanOuts = spawns ? (await tx.query<FanOutRow>(fanOutsOf, [ids])).rows : [];
    const { running, tasks } = await this.reopening.reopen(tx, place, ids);
    const failed = fanOuts.filter((f) => {
      return f.verdict !== 'passed' && tasks.get(f.parent_id)?.get(f.merge_node ?? f.node) !== 'succeeded';
    });
    // cancelled from above before it had a verdict: its spawner goes on, and what was cancelled with it comes back
    const cutOff = failed.filter((f) => f.verdict === 'open');
    const judged = failed.filter((f) => f.verdict === 'failed' && (f.sealed || isToleranceFailure(f.verdict_reason)));
    const goingOn = failed.filter((f) => !judged.includes(f));
    if (goingOn.length > 0) await tx.query(continueFanOuts, [goingOn.map((f) => f.id)]);
    await this.reopening.reopenFanOuts(
      tx,
      judged.map((f) => f.id),
      true,
    );
    const later = (f: FanOutRow, ...state: string[]) => ({
      parentId: f.parent_id,
      rootId: f.root_id,
      id: f.id,
      round: f.round + 1,
      filter: JSON.stringify({ state }),
    });
    await this.reopening.redriveLater(tx, [
      ...cutOff.map((f) => later(f, 'CANCELLED')),
      // the one child of a PIPELINE runs again however it ended
      ...judged.map((f) =>
        place.at.plan.nodes[f.node]!.type === 'PIPELINE' ? later(f, 'FAILED', 'CANCELLED') : later(f, 'FAILED'),
      ),
    ]);
    return running;
  }
}

/** Everything that was cancelled, and not some of it. */
function isWhole({ state, fingerprint, class: of, itemIndexes, pattern }: RedriveFilter): boolean {
  return state.includes('CANCELLED') && [fingerprint, of, itemIndexes, pattern].every((x) => x === undefined);
}

function matching(f: FanOutRow, filter: RedriveFilter): unknown[] {
  const [first, last] = childIdRange(f.root_id, f.id);
  return [
    first,
    last,
    filter.state.map((s) => s.toLowerCase()),
    filter.fingerprint ?? null,
    filter.class ?? null,
    filter.itemIndexes ? filter.itemIndexes.map((i) => childId(f.root_id, f.id, i)) : null,
    filter.pattern ?? null,
  ];
}
