import { createHash } from 'node:crypto';
import { downstream, isPerformed, isSpawning, nodesAgain, type TaskState } from '@app/domain';
import type { Tx } from '../database/database.js';
import type { FanOutFactSource } from '../execution-path/fan-out-facts.js';
import { destinationsOf, simpleStart, type PlanSource, type VersionedPlan } from '../execution-path/plan-source.js';
import { wholeChild } from '../execution-path/admission/admission-store.js';
import { armDeadlines } from '../execution-path/timers/arm-deadlines.sql.js';
import { addCommand } from './add-command.sql.js';
import { addRedrives } from './add-redrives.sql.js';
import { askForProgress } from './ask-for-progress.sql.js';
import { putComeback } from './put-comeback.sql.js';
import { addFacts } from './add-facts.sql.js';
import { claimKeyAgain } from './claim-key-again.sql.js';
import { putIntake } from './put-intake.sql.js';
import { reopenExecutions } from './reopen-executions.sql.js';
import { reopenFanOuts } from './reopen-fan-outs.sql.js';
import { reopenTasks } from './reopen-tasks.sql.js';
import { rerunTasks } from './rerun-tasks.sql.js';
import { shiftTally } from './shift-tally.sql.js';
import { supersedeFanOuts } from './supersede-fan-outs.sql.js';
import type { ControlRefusal } from './control-answer.js';
import type { LineageLevel } from './lineage.js';
import { unadmitted } from './unadmitted.sql.js';
import { tasksOf } from './tasks-of.sql.js';

/** Where executions that run again stand: children of one fan-out, or one at the top. */
export interface Place {
  readonly at: VersionedPlan;
  readonly rootId: string;
  readonly parentId: string | null;
  readonly fanOutId: number | null;
}

type TasksById = ReadonlyMap<string, ReadonlyMap<number, TaskState>>;

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
   * @param goesOn the child's fan-out is taken back as a whole: where it was cancelled, its spawner goes on
   */
  async reopenAbove(
    tx: Tx,
    levels: readonly LineageLevel[],
    fact: string,
    goesOn: boolean,
  ): Promise<ControlRefusal | null> {
    for (let i = 0; i + 1 < levels.length; i++) {
      const fanOut = levels[i]!.fanOut!;
      const parent = levels[i + 1]!;
      await this.note(tx, [{ id: parent.id, kind: 'child_retried', node: fanOut.spawner, data: fact }]);
      if (fanOut.verdict !== 'failed') return null;
      const failedByMerge = parent.state === 'failed' && (await this.failedBy(tx, parent, fanOut));
      if (parent.state !== 'running' && parent.state !== 'paused' && !failedByMerge) return null;
      await this.reopenMerge(tx, parent, fanOut, goesOn && i === 0);
      if (!failedByMerge) return null;
      const refusal = await this.reopenParent(tx, parent);
      if (refusal) return refusal;
      if (parent.fanOut) await tx.query(shiftTally, [parent.fanOut.id, -1, 0, -1]);
    }
    return null;
  }

  /** The merge is open again in the next round; spawning goes on, and what fail-fast had cancelled comes back. */
  private async reopenMerge(
    tx: Tx,
    parent: LineageLevel,
    fanOut: NonNullable<LineageLevel['fanOut']>,
    goesOn: boolean,
  ): Promise<void> {
    const nodes = [fanOut.spawner, ...(fanOut.mergeNode === null ? [] : [fanOut.mergeNode])];
    const all = <T>(value: T) => nodes.map(() => value);
    await tx.query(reopenTasks, [all(parent.id), nodes, all(true), all(false)]);
    await this.reopenFanOuts(tx, [fanOut.id], goesOn);
  }

  /**
   * Failed fan-outs begin their next rounds, and what fail-fast had cancelled of them comes back.
   * @param goesOn also the spawners of those that were cancelled go on
   */
  async reopenFanOuts(tx: Tx, ids: readonly number[], goesOn: boolean): Promise<void> {
    if (ids.length === 0) return;
    const { rows } = await tx.query<{ id: number; parent_id: string; root_id: string; node: number; round: number }>(
      reopenFanOuts,
      [ids, goesOn],
    );
    await this.redriveLater(
      tx,
      rows.map((r) => ({ parentId: r.parent_id, rootId: r.root_id, id: r.id, round: r.round, filter: failFastFilter })),
    );
    await this.note(
      tx,
      rows.map((r) => ({
        id: r.parent_id,
        kind: 'fanout_reopened',
        node: r.node,
        data: `{"round":${r.round}}`,
      })),
    );
  }

  /** Commands that bring children of fan-outs back. */
  async redriveLater(
    tx: Tx,
    fanOuts: readonly { parentId: string; rootId: string; id: number; round: number; filter: string }[],
  ): Promise<void> {
    if (fanOuts.length === 0) return;
    await tx.query(addRedrives, [
      fanOuts.map((f) => f.parentId),
      fanOuts.map((f) => f.rootId),
      fanOuts.map((f) => f.id),
      fanOuts.map((f) => f.round),
      fanOuts.map((f) => f.filter),
    ]);
  }

  async placeOf(tx: Tx, level: LineageLevel): Promise<Place> {
    const facts = level.fanOut ? (await this.facts.of(tx, [level.fanOut.id])).get(level.fanOut.id)! : null;
    return {
      at: await this.plans.at(tx, level.versionId, facts?.childPath ?? []),
      rootId: facts?.rootId ?? level.id,
      parentId: facts?.parentId ?? null,
      fanOutId: facts?.id ?? null,
    };
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
    await tx.query(reopenExecutions, [[parent.id], [true]]);
    await this.deadlinesAnew(tx, await this.placeOf(tx, parent), [parent.id]);
    return null;
  }

  private async failedBy(tx: Tx, parent: LineageLevel, fanOut: NonNullable<LineageLevel['fanOut']>): Promise<boolean> {
    const tasks = (await this.tasksOf(tx, [parent.id])).get(parent.id);
    return tasks?.get(fanOut.mergeNode ?? fanOut.spawner) === 'failed';
  }

  private async tasksOf(tx: Tx, ids: readonly string[]): Promise<TasksById> {
    const found = new Map<string, Map<number, TaskState>>(ids.map((id) => [id, new Map()]));
    const { rows } = await tx.query<{ execution_id: string; node: number; state: TaskState }>(tasksOf, [ids]);
    for (const r of rows) found.get(r.execution_id)!.set(r.node, r.state);
    return found;
  }

  /**
   * Re-opens failed or cancelled executions themselves: their failed nodes again, succeeded ones not. One that never began
   * starts like a new one.
   * @returns those that run at once, without admission, and the tasks as they were
   */
  async reopen(
    tx: Tx,
    place: Place,
    ids: readonly string[],
  ): Promise<{ running: ReadonlySet<string>; tasks: TasksById }> {
    const { plan } = place.at;
    const tasks = await this.tasksOf(tx, ids);
    const start = place.fanOutId === null ? null : simpleStart(plan);
    const running = new Set<string>();
    const unknown: string[] = [];
    const asking: string[] = [];
    const changes: { id: string; node: number; follows: boolean }[] = [];
    const comebacks: { id: string; node: number }[] = [];
    const untouched = [...tasks].flatMap(([id, states]) => (states.size === 0 ? [id] : []));
    const ahead = await this.notReached(tx, place, untouched);
    for (const [id, states] of tasks) {
      if (states.size === 0) {
        if (ahead.has(id)) continue;
        if (start) comebacks.push({ id, node: start.index });
        else unknown.push(id);
        continue;
      }
      const { begin, follow } = nodesAgain(plan, states);
      const performed = begin.filter((n) => isPerformed(plan.nodes[n]!.type));
      if (performed.length < begin.length) running.add(id);
      if (performed.length < begin.length || begin.length === 0) asking.push(id);
      changes.push(...begin.map((node) => ({ id, node, follows: false })));
      changes.push(...follow.map((node) => ({ id, node, follows: true })));
      comebacks.push(...performed.map((node) => ({ id, node })));
    }
    await tx.query(reopenExecutions, [ids, ids.map((id) => running.has(id))]);
    await this.deadlinesAnew(tx, place, ids);
    if (changes.length > 0)
      await tx.query(reopenTasks, [
        changes.map((c) => c.id),
        changes.map((c) => c.node),
        changes.map(() => false),
        changes.map((c) => c.follows),
      ]);
    await this.bringBack(
      tx,
      place,
      comebacks.map((c) => ({ ...c, child: !running.has(c.id) })),
    );
    if (unknown.length > 0) await this.layOutAnew(tx, place, unknown);
    if (asking.length > 0) await tx.query(askForProgress, [asking]);
    return { running, tasks };
  }

  /** Whole executions begin anew: children when there is a place for them in their fan-out, others at once. */
  private async layOutAnew(tx: Tx, { at, rootId, parentId, fanOutId }: Place, ids: readonly string[]): Promise<void> {
    if (fanOutId === null) return void (await tx.query(putIntake, [ids]));
    const rows = ids.map((id) => ({
      execution_id: id,
      node: wholeChild,
      queue: '',
      root_id: rootId,
      parent_id: parentId,
      fan_out_id: fanOutId,
      version_id: at.versionId,
      child_path: at.path,
      child: true,
      destinations: [],
    }));
    await tx.query(putComeback, [JSON.stringify(rows)]);
  }

  /** Of children that never began, those whose turn comes anyway. */
  private async notReached(tx: Tx, { fanOutId }: Place, ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (fanOutId === null || ids.length === 0) return new Set();
    const { rows } = await tx.query<{ id: string }>(unadmitted, [fanOutId, ids]);
    return new Set(rows.map((r) => r.id));
  }

  /** Whether a node of an execution has run; one that was skipped has not. */
  async hasRun(tx: Tx, id: string, node: number): Promise<boolean> {
    const state = (await this.tasksOf(tx, [id])).get(id)!.get(node);
    return state !== undefined && state !== 'skipped';
  }

  /**
   * That node and what follows it again, also where it had succeeded; a spawner among them with a new generation. What failed
   * elsewhere stays as it is, and what follows both is decided by that.
   */
  async rerunFrom(tx: Tx, place: Place, id: string, from: number): Promise<void> {
    const { plan } = place.at;
    const following = downstream(plan, [from]);
    const spawners = [from, ...following].filter((n) => isSpawning(plan.nodes[n]!.type));
    const old = await tx.query<{ id: number; root_id: string; round: number }>(supersedeFanOuts, [id, spawners]);
    for (const f of old.rows) await tx.query(addCommand, ['fail_fast', id, f.root_id, f.id, f.round, null, 0]);
    await tx.query(reopenExecutions, [[id], [true]]);
    await this.deadlinesAnew(tx, place, [id]);
    await tx.query(rerunTasks, [id, [from], following]);
    if (isPerformed(plan.nodes[from]!.type)) await this.bringBack(tx, place, [{ id, node: from, child: false }]);
    await tx.query(askForProgress, [[id]]);
  }

  /** Whatever runs again has its whole time again. */
  private async deadlinesAnew(tx: Tx, { at, rootId }: Place, ids: readonly string[]): Promise<void> {
    const { timeoutMs } = at.plan;
    if (timeoutMs === null || ids.length === 0) return;
    await tx.query(armDeadlines, [ids, ids.map(() => rootId), ids.map(() => timeoutMs)]);
  }

  private async bringBack(
    tx: Tx,
    { at, rootId, parentId, fanOutId }: Place,
    tasks: readonly { id: string; node: number; child: boolean }[],
  ): Promise<void> {
    if (tasks.length === 0) return;
    const rows = tasks.map(({ id, node: index, child }) => {
      const node = at.plan.nodes[index]!;
      return {
        execution_id: id,
        node: index,
        queue: node.queue,
        root_id: rootId,
        parent_id: parentId,
        fan_out_id: fanOutId,
        version_id: at.versionId,
        child_path: at.path,
        child,
        destinations: destinationsOf(at, node),
        critical_path: node.criticalPath,
      };
    });
    await tx.query(putComeback, [JSON.stringify(rows)]);
  }

  async note(
    tx: Tx,
    facts: readonly { id: string; kind: string; node: number | null; data: string | null }[],
  ): Promise<void> {
    if (facts.length === 0) return;
    await tx.query(addFacts, [
      facts.map((f) => f.id),
      facts.map((f) => f.kind),
      facts.map((f) => f.node),
      facts.map((f) => f.data),
    ]);
  }
}
