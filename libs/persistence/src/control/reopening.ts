import { createHash } from 'node:crypto';
import { isPerformed, type Plan } from '@app/domain';
import type { Tx } from '../database/database.js';
import type { FanOutFacts, FanOutFactSource } from '../execution-path/fan-out-facts.js';
import { destinationsOf, type PlanSource, type VersionedPlan } from '../execution-path/plan-source.js';
import { addCommand } from './add-command.sql.js';
import { askForProgress } from './ask-for-progress.sql.js';
import { putComeback } from './put-comeback.sql.js';
import { addFacts } from './add-facts.sql.js';
import { claimKeyAgain } from './claim-key-again.sql.js';
import { forgetTasks } from './forget-tasks.sql.js';
import { reopenExecution } from './reopen-execution.sql.js';
import { reopenFanOuts } from './reopen-fan-outs.sql.js';
import { reopenTasks } from './reopen-tasks.sql.js';
import { rerunTasks } from './rerun-tasks.sql.js';
import { shiftTally } from './shift-tally.sql.js';
import { supersedeFanOuts } from './supersede-fan-outs.sql.js';
import type { ControlRefusal } from './control-answer.js';
import type { LineageLevel } from './lineage.js';
import { tasksOf } from './tasks-of.sql.js';

const failFastFilter = JSON.stringify({ state: ['CANCELLED'], pattern: '%"FAN_OUT.CLOSED"%' });

/**
 * Re-opening, by the state of the ancestors. *Open*: the descendant re-opens and tallies move. *Failed by the merge above it*:
 * that merge re-opens as well (the next round), its parent runs again, and so on upwards. *Succeeded, or failed
 * otherwise*: the descendant runs, tally and results follow, the ancestor's verdict stays. The lineage is locked from the
 * root down, and all of it happens in one transaction.
 */
export class Reopening {
  constructor(
    private readonly plans: PlanSource,
    private readonly facts: FanOutFactSource,
  ) {}

  /**
   * Re-opens what the failure of fan-out `level.fanOut` failed, upwards. The child's own counts are the caller's.
   * @param levels from the child up; `levels[0]` is the child
   */
  async reopenAbove(tx: Tx, levels: readonly LineageLevel[], fact: string): Promise<ControlRefusal | null> {
    for (let i = 0; i + 1 < levels.length; i++) {
      const fanOut = levels[i]!.fanOut!;
      const parent = levels[i + 1]!;
      await this.note(tx, parent.id, [{ kind: 'child_retried', node: fanOut.spawner, data: fact }]);
      if (fanOut.verdict !== 'failed') return null;
      const failedByMerge = parent.state === 'failed' && (await this.failedBy(tx, parent, fanOut));
      if (parent.state !== 'running' && parent.state !== 'paused' && !failedByMerge) return null;
      await this.reopenMerge(tx, parent, fanOut);
      if (!failedByMerge) return null;
      const refusal = await this.reopenParent(tx, parent);
      if (refusal) return refusal;
      if (parent.fanOut) await tx.query(shiftTally, [parent.fanOut.id, -1, 0, -1]);
    }
    return null;
  }

  /** The merge is open again in the next round; spawning goes on, and what fail-fast had cancelled comes back. */
  async reopenMerge(tx: Tx, parent: LineageLevel, fanOut: NonNullable<LineageLevel['fanOut']>): Promise<void> {
    const { rows } = await tx.query<{ id: number; round: number }>(reopenFanOuts, [[fanOut.id]]);
    if (!rows[0]) return;
    const root = (await this.facts.of(tx, [fanOut.id])).get(fanOut.id)!.rootId;
    const nodes = [fanOut.spawner, ...(fanOut.mergeNode === null ? [] : [fanOut.mergeNode])];
    await tx.query(reopenTasks, [parent.id, nodes, true]);
    await tx.query(addCommand, ['redrive', parent.id, root, fanOut.id, rows[0].round, failFastFilter, 0]);
    await this.note(tx, parent.id, [
      { kind: 'fanout_reopened', node: fanOut.spawner, data: `{"round":${rows[0].round}}` },
    ]);
  }

  /** A top-level execution that runs again holds its business key again. @returns the refusal when another one does */
  async claimKey(tx: Tx, level: LineageLevel): Promise<ControlRefusal | null> {
    if (level.fanOut || level.businessKey === null) return null;
    const hash = createHash('sha256').update(level.businessKey, 'utf8').digest();
    const claimed = await tx.query(claimKeyAgain, [level.versionId, hash, level.id]);
    if (claimed.rowCount === 1) return null;
    return {
      ok: false,
      status: 409,
      code: 'EXECUTION.KEY_IN_USE',
      detail: 'another open execution has the same key',
    };
  }

  private async reopenParent(tx: Tx, parent: LineageLevel): Promise<ControlRefusal | null> {
    const inUse = await this.claimKey(tx, parent);
    if (inUse) return inUse;
    await tx.query(reopenExecution, [parent.id, true]);
    return null;
  }

  private async failedBy(tx: Tx, parent: LineageLevel, fanOut: NonNullable<LineageLevel['fanOut']>): Promise<boolean> {
    const { rows } = await tx.query<{ node: number; state: string }>(tasksOf, [parent.id]);
    const judge = fanOut.mergeNode ?? fanOut.spawner;
    return rows.some((t) => t.node === judge && t.state === 'failed');
  }

  /**
   * Re-opens one failed or cancelled execution itself: its failed nodes again, succeeded ones not.
   * @returns whether it runs at once, without admission
   */
  async reopenSelf(tx: Tx, level: LineageLevel, from: number | null): Promise<boolean> {
    const facts = level.fanOut ? (await this.facts.of(tx, [level.fanOut.id])).get(level.fanOut.id)! : null;
    const at = await this.plans.at(tx, level.versionId, facts?.childPath ?? []);
    const { rows } = await tx.query<{ node: number; state: string }>(tasksOf, [level.id]);
    const again = rows.filter((t) => t.state === 'failed' || t.state === 'cancelled').map((t) => t.node);
    if (from !== null) return this.rerunFrom(tx, level, at, from, again, facts);
    const behind = downstream(at.plan, again).filter((n) => !again.includes(n));
    if (behind.length > 0) await tx.query(forgetTasks, [level.id, behind]);
    const performed = again.filter((n) => isPerformed(at.plan.nodes[n]!.type));
    const orchestrated = again.length > performed.length;
    await tx.query(reopenExecution, [level.id, orchestrated]);
    if (again.length > 0) await tx.query(reopenTasks, [level.id, again, false]);
    await this.bringBack(tx, level, at, performed, !orchestrated, facts);
    if (orchestrated || again.length === 0) await tx.query(askForProgress, [level.id]);
    return orchestrated;
  }

  /** That node and what follows it again, also where it had succeeded; a spawner among them with a new generation. */
  private async rerunFrom(
    tx: Tx,
    level: LineageLevel,
    at: VersionedPlan,
    from: number,
    failed: readonly number[],
    facts: FanOutFacts | null,
  ): Promise<boolean> {
    const following = downstream(at.plan, [from]);
    const others = failed.filter((n) => n !== from && !following.includes(n));
    const begin = [from, ...others];
    const spawners = [from, ...following].filter((n) => at.plan.nodes[n]!.type === 'SPAWNER');
    const old = await tx.query<{ id: number; root_id: string; round: number }>(supersedeFanOuts, [level.id, spawners]);
    for (const f of old.rows) await tx.query(addCommand, ['fail_fast', level.id, f.root_id, f.id, f.round, null, 0]);
    await tx.query(reopenExecution, [level.id, true]);
    await tx.query(rerunTasks, [level.id, begin, following]);
    await this.bringBack(
      tx,
      level,
      at,
      begin.filter((n) => isPerformed(at.plan.nodes[n]!.type)),
      false,
      facts,
    );
    await tx.query(askForProgress, [level.id]);
    return true;
  }

  private async bringBack(
    tx: Tx,
    level: LineageLevel,
    at: VersionedPlan,
    nodes: readonly number[],
    child: boolean,
    facts: { rootId: string; parentId: string; priority: number } | null,
  ): Promise<void> {
    if (nodes.length === 0) return;
    const rows = nodes.map((index) => {
      const node = at.plan.nodes[index]!;
      return {
        execution_id: level.id,
        node: index,
        queue: node.queue,
        root_id: facts?.rootId ?? level.id,
        parent_id: facts?.parentId ?? null,
        fan_out_id: level.fanOut?.id ?? null,
        version_id: at.versionId,
        child_path: at.path,
        priority: facts?.priority ?? 5,
        child,
        destinations: destinationsOf(at, node),
      };
    });
    await tx.query(putComeback, [JSON.stringify(rows)]);
  }

  async note(
    tx: Tx,
    id: string,
    facts: readonly { kind: string; node: number | null; data: string | null }[],
  ): Promise<void> {
    await tx.query(addFacts, [id, facts.map((f) => f.kind), facts.map((f) => f.node), facts.map((f) => f.data)]);
  }
}

/** Every node reachable from the given ones. */
export function downstream(plan: Plan, from: readonly number[]): number[] {
  const seen = new Set<number>();
  const queue = [...from];
  for (let i = 0; i < queue.length; i++)
    for (const edge of plan.nodes[queue[i]!]!.outgoing)
      if (!seen.has(edge.to)) {
        seen.add(edge.to);
        queue.push(edge.to);
      }
  return [...seen];
}
