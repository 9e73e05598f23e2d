import { childId, childIdRange, isPerformed } from '@app/domain';
import type { Tx } from '../database/database.js';
import type { FanOutFactSource } from '../execution-path/fan-out-facts.js';
import { destinationsOf, simpleStart, type PlanSource } from '../execution-path/plan-source.js';
import { addCommand } from './add-command.sql.js';
import { continueFanOut } from './continue-fan-out.sql.js';
import { countMatching } from './count-matching.sql.js';
import { lockMatching } from './lock-matching.sql.js';
import { redriveChildren } from './redrive-children.sql.js';
import { shiftTally } from './shift-tally.sql.js';
import type { ControlAnswer, ControlRefusal } from './control-answer.js';
import { fanOutForRedrive } from './fan-out-for-redrive.sql.js';
import { fanOutsOf } from './fan-outs-of.sql.js';
import { tasksOf } from './tasks-of.sql.js';
import { lineageOf, type LineageLevel } from './lineage.js';
import type { Reopening } from './reopening.js';

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
  readonly round: number;
  readonly child_version_id: number;
  readonly child_path: number[];
  readonly child_node: number | null;
}

const pageSize = 1_000;

/**
 * Redrive: failed (or cancelled) children of a fan-out run again in place. The command is one `control` row, answered with
 * its count at once; children move in batches behind it; while it has not ended the verdict is held.
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
    const all = (await tx.query<FanOutRow>(fanOutsOf, [self.id])).rows;
    const chosen = all.filter(
      (f) =>
        filter.node === undefined ||
        [f.node, f.merge_node].some((n) => n !== null && at.plan.nodes[n]!.id === filter.node),
    );
    if (chosen.length === 0)
      return {
        ok: false,
        status: 409,
        code: 'FAN_OUT.NOT_FOUND',
        detail: 'this execution has no such fan-out to redrive',
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
    const { rows } = await tx.query<{ matched: number }>(countMatching, matching(f, filter));
    const matched = rows[0]!.matched;
    if (matched === 0 || filter.dryRun) return matched;
    const self = levels[0]!;
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
      },
      mark: null,
    };
    const refusal = await this.reopening.reopenAbove(tx, [below, ...levels], JSON.stringify({ redriven: matched }));
    if (refusal) return refusal;
    await tx.query(addCommand, ['redrive', self.id, f.root_id, f.id, f.round, JSON.stringify(filter), matched]);
    return matched;
  }

  /** One page of a redrive. @returns the last id looked at, null when there is nothing more */
  async page(
    tx: Tx,
    fanOutId: number,
    filter: RedriveFilter,
    position: string | null,
  ): Promise<{ moved: number; last: string | null }> {
    const f = (await tx.query<FanOutRow>(fanOutForRedrive, [fanOutId])).rows[0];
    if (!f) return { moved: 0, last: null };
    const values = matching(f, filter);
    if (position) values[0] = position;
    const ids = (await tx.query<{ id: string }>(lockMatching, [...values, pageSize])).rows.map((r) => r.id);
    if (ids.length === 0) return { moved: 0, last: null };
    const at = await this.plans.at(tx, f.child_version_id, f.child_path);
    const hard = at.plan.nodes.every((n) => isPerformed(n.type)) ? [] : await this.withOwnFanOuts(tx, ids);
    const plain = ids.filter((id) => !hard.includes(id));
    let moved = 0;
    if (plain.length > 0) {
      const performed = at.plan.nodes.filter((n) => isPerformed(n.type));
      const result = await tx.query<{ moved: number }>(redriveChildren, [
        f.id,
        plain,
        performed.map((n) => n.index),
        performed.map((n) => n.queue),
        performed.map((n) => JSON.stringify(destinationsOf(at, n))),
        simpleStart(at.plan)?.index ?? null,
      ]);
      moved += result.rows[0]!.moved;
    }
    for (const id of hard) {
      const level = (await lineageOf(tx, id))[0]!;
      const running = await this.retrySelf(tx, level, f.root_id, null);
      const failed = level.state === 'failed';
      await tx.query(shiftTally, [f.id, failed ? -1 : 0, failed ? 0 : -1, running ? -1 : 0]);
      moved++;
    }
    return { moved, last: ids.length < pageSize ? null : ids.at(-1)! };
  }

  /**
   * A failed execution again: where its merge failed, the failed children below; where its spawner did, on from
   * its cursor with the children there are attached as they are; else its failed nodes.
   * @returns whether it runs at once, without admission
   */
  async retrySelf(tx: Tx, level: LineageLevel, root: string, from: number | null): Promise<boolean> {
    const fanOuts = (await tx.query<FanOutRow>(fanOutsOf, [level.id])).rows;
    const tasks = new Map(
      (await tx.query<{ node: number; state: string }>(tasksOf, [level.id])).rows.map((t) => [t.node, t.state]),
    );
    const running = await this.reopening.reopenSelf(tx, level, from);
    if (from !== null) return running;
    for (const f of fanOuts) {
      const judge = f.merge_node ?? f.node;
      const cutOff = f.closed && f.verdict === 'open';
      if ((f.verdict !== 'failed' && !cutOff) || tasks.get(judge) === 'succeeded') continue;
      if (cutOff) {
        // cancelled from above before it had a verdict: its spawner goes on, and what was cancelled with it comes back
        await tx.query(continueFanOut, [f.id]);
        await tx.query(addCommand, [
          'redrive',
          level.id,
          root,
          f.id,
          f.round + 1,
          JSON.stringify({ state: ['CANCELLED'] }),
          0,
        ]);
        continue;
      }
      if (!f.verdict_reason?.includes('"class":"TOLERANCE_EXCEEDED"')) {
        await tx.query(continueFanOut, [f.id]);
        continue;
      }
      await this.reopening.reopenMerge(tx, level, {
        id: f.id,
        spawner: f.node,
        mergeNode: f.merge_node,
        verdict: f.verdict,
        verdictReason: null,
        sealed: f.sealed,
        closed: f.closed,
      });
      await tx.query(addCommand, [
        'redrive',
        level.id,
        root,
        f.id,
        f.round + 1,
        JSON.stringify({ state: ['FAILED'] }),
        0,
      ]);
    }
    return running;
  }

  private async withOwnFanOuts(tx: Tx, ids: readonly string[]): Promise<string[]> {
    const found: string[] = [];
    for (const id of ids) if ((await tx.query<{ node: number }>(tasksOf, [id])).rows.length > 0) found.push(id);
    return found;
  }
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
