import { isTerminal, mergeOf, type NoticeOutcome, type PlannedNode, type SpawnerConfig } from '@app/domain';
import type { Tx } from '../../database/database.js';
import { noteOutcomes } from '../../notices/note-outcomes.js';
import { destinationsOf, ownLimits, type OwnLimit, simpleStart, type PlanSource } from '../plan-source.js';
import { putOwnLimits } from '../put-own-limits.sql.js';
import { planFanOuts } from '../spawning/plan-fan-out.sql.js';
import { consumeSignals } from '../signals/decided-signals.js';
import { keepTimers } from '../timers/decided-timers.js';
import { goOnLater } from '../intake/go-on-later.sql.js';
import { abandonFanOuts } from './abandon-fan-outs.sql.js';
import { dropComebacks } from './drop-comebacks.sql.js';
import { applyChanges } from './apply-changes.sql.js';
import { closeExecutions } from './close-executions.sql.js';
import { comeBack } from './come-back.sql.js';
import { moveTallies } from './move-tallies.sql.js';
import { setRetention } from './set-retention.sql.js';
import { moveExecutions } from './move-executions.sql.js';
import type { Decided } from './decided.js';
import { changesOf, comebackColumns, comebacksOf, movedExecutions, queuesOf } from './decision-columns.js';
import type { LoadedExecution } from './snapshot-store.js';

export type { Decided };

/** What a committed set of decisions set in motion; told to others only after the commit. */
export interface Consequences {
  /** Moved meanwhile: to be loaded and decided again. */
  readonly stale: readonly string[];
  readonly settled: readonly string[];
  readonly spawning: readonly number[];
  /** Fan-outs whose verdict may have become certain. */
  readonly due: readonly number[];
  /** Queues in which something may be admitted. */
  readonly queues: readonly string[];
  /** How many tasks may be admitted in them at once. */
  readonly admissible: number;
  /** Executions that go on in another transaction. */
  readonly continuing: readonly string[];
}

export const noConsequences: Consequences = {
  stale: [],
  settled: [],
  spawning: [],
  due: [],
  queues: [],
  admissible: 0,
  continuing: [],
};

/**
 * Commits decisions about many executions as sets, inside the caller's transaction. Each is guarded by the event sequence it
 * was made from. Tallies move in the same transaction, so that each child is counted exactly once (I4).
 */
export class DecisionStore {
  constructor(private readonly plans: PlanSource) {}

  async commit(tx: Tx, decided: readonly Decided[]): Promise<Consequences> {
    if (decided.length === 0) return noConsequences;
    const moved = await this.move(tx, decided);
    const done = decided.filter((d) => moved.has(d.decision.snapshot.id));
    await this.apply(tx, done);
    const queues = await this.comeBack(tx, done);
    const spawning = await this.spawn(tx, done);
    await consumeSignals(tx, done);
    await this.abandon(tx, done);
    await keepTimers(tx, done);
    const due = await this.tally(tx, done);
    await this.close(tx, done);
    const continuing = await this.goOnLater(tx, done);
    return {
      stale: decided.filter((d) => !moved.has(d.decision.snapshot.id)).map((d) => d.decision.snapshot.id),
      settled: done.filter((d) => isTerminal(d.decision.to)).map((d) => d.decision.snapshot.id),
      spawning,
      due,
      queues,
      admissible: done.reduce((n, d) => n + d.decision.comebacks.filter((c) => c.delayMs === 0).length, 0),
      continuing,
    };
  }

  private async move(tx: Tx, decided: readonly Decided[]): Promise<ReadonlySet<string>> {
    const { rows } = await tx.query<{ id: string }>(moveExecutions, movedExecutions(decided));
    return new Set(rows.map((r) => r.id));
  }

  private async apply(tx: Tx, done: readonly Decided[]): Promise<void> {
    const count = done.reduce((n, { decision }) => n + decision.tasks.length, 0);
    if (count === 0 && done.every(({ decision }) => decision.events.length === 0)) return;
    const { rows } = await tx.query<{ changed: number }>(applyChanges, changesOf(done));
    if (rows[0]!.changed !== count) throw new Error(`${count} tasks were to move, ${rows[0]!.changed} did`);
  }

  private async comeBack(tx: Tx, done: readonly Decided[]): Promise<string[]> {
    const rows = comebacksOf(done);
    if (rows.length === 0) return [];
    await this.putLimits(tx, new Map(rows.flatMap((r) => ownLimits(r.execution.at, r.node).map((l) => [l.name, l]))));
    await tx.query(comeBack, comebackColumns(rows));
    return queuesOf(rows);
  }

  private async putLimits(tx: Tx, limits: ReadonlyMap<string, OwnLimit>): Promise<void> {
    if (limits.size === 0) return;
    const all = [...limits.values()];
    await tx.query(putOwnLimits, [all.map((l) => l.name), all.map((l) => l.maxConcurrency), all.map((l) => l.yields)]);
  }

  private async spawn(tx: Tx, done: readonly Decided[]): Promise<number[]> {
    const planned = [];
    const limits = new Map<string, OwnLimit>();
    for (const { execution, decision } of done)
      for (const node of decision.spawns) planned.push(await this.planFanOut(tx, execution, node, limits));
    if (planned.length === 0) return [];
    await this.putLimits(tx, limits);
    const { rows } = await tx.query<{ id: number }>(planFanOuts, [JSON.stringify(planned)]);
    return rows.map((r) => r.id);
  }

  private async planFanOut(
    tx: Tx,
    execution: LoadedExecution,
    index: number,
    limits: Map<string, OwnLimit>,
  ): Promise<object> {
    const { at, snapshot } = execution;
    const node = at.plan.nodes[index]!;
    const { child, maxConcurrency, priority, itemKey, rollout } = spawnedBy(node);
    const inline = child.kind === 'inline';
    const versionId = inline ? at.versionId : await this.plans.resolve(tx, child.name, child.version);
    const depth = (execution.fanOut?.depth ?? 0) + 1;
    const refusal = refusedFanOut(depth, versionId === null && child.kind === 'pipeline' ? child.name : null, node.id);
    const childAt = await this.plans.at(tx, versionId ?? at.versionId, inline ? [...at.path, index] : []);
    const start = refusal ? null : simpleStart(childAt.plan);
    if (start) for (const limit of ownLimits(childAt, start)) limits.set(limit.name, limit);
    return {
      parent_id: snapshot.id,
      root_id: snapshot.rootId,
      node: index,
      merge_node: mergeOf(at.plan, index)?.index ?? null,
      depth: Math.min(depth, 16),
      priority: priority ?? execution.priority,
      child_version_id: childAt.versionId,
      child_path: childAt.path,
      child_node: start?.index ?? null,
      queue: start?.queue ?? null,
      destinations: start ? destinationsOf(childAt, start) : [],
      max_concurrency: maxConcurrency,
      keyed: itemKey !== null,
      closed: refusal !== null,
      verdict: refusal ? 'failed' : 'open',
      verdict_reason: refusal,
      released: rollout === null || refusal ? null : 0,
    };
  }

  /** What was to run, and was failed from outside before it did. */
  private async abandon(tx: Tx, done: readonly Decided[]): Promise<void> {
    const fanOuts = done.flatMap((d) => d.decision.abandons);
    if (fanOuts.length > 0) await tx.query(abandonFanOuts, [fanOuts]);
    const late = done.flatMap(({ decision }) =>
      decision.tasks
        .filter((t) => t.from === 'pending' && t.to === 'failed')
        .map((t) => ({ id: decision.snapshot.id, node: t.node })),
    );
    if (late.length > 0) await tx.query(dropComebacks, [late.map((t) => t.id), late.map((t) => t.node)]);
  }

  /** Behind the gate of its root, as any other start of a node: a pause or a cancel in between holds. */
  private async goOnLater(tx: Tx, done: readonly Decided[]): Promise<string[]> {
    const going = done
      .filter((d) => d.decision.continues.length > 0)
      .map(({ decision }) => ({ id: decision.snapshot.id, nodes: JSON.stringify(decision.continues) }))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    if (going.length > 0) await tx.query(goOnLater, [going.map((g) => g.id), going.map((g) => g.nodes)]);
    return going.map((g) => g.id);
  }

  private async tally(tx: Tx, done: readonly Decided[]): Promise<number[]> {
    const sums = new Map<number, { succeeded: number; failed: number; cancelled: number; closed: number }>();
    for (const { decision } of done) {
      const { fanOutId, state } = decision.snapshot;
      if (fanOutId === null || isTerminal(state)) continue;
      // One that begins without having been admitted takes its place here.
      const begins = state === 'pending' && decision.to === 'running';
      if (!isTerminal(decision.to) && !begins) continue;
      const sum = sums.get(fanOutId) ?? { succeeded: 0, failed: 0, cancelled: 0, closed: 0 };
      if (begins) sum.closed--;
      else {
        sum[decision.to as 'succeeded' | 'failed' | 'cancelled']++;
        if (state === 'ready' || state === 'running') sum.closed++;
      }
      sums.set(fanOutId, sum);
    }
    if (sums.size === 0) return [];
    const sorted = [...sums].sort((a, b) => a[0] - b[0]);
    const { rows } = await tx.query(moveTallies, [
      sorted.map(([id]) => id),
      sorted.map(([, s]) => s.succeeded),
      sorted.map(([, s]) => s.failed),
      sorted.map(([, s]) => s.cancelled),
      sorted.map(() => 0),
      sorted.map(([, s]) => s.closed),
    ]);
    return rows
      .filter((r) => {
        const settled = (r.succeeded as number) + (r.failed as number) + (r.cancelled as number);
        return settled >= (r.spawned as number) || (r.failed as number) + (r.cancelled as number) > 0;
      })
      .map((r) => r.fan_out_id as number);
  }

  private async close(tx: Tx, done: readonly Decided[]): Promise<void> {
    const ended = done.filter(
      (d) =>
        d.decision.snapshot.fanOutId === null && isTerminal(d.decision.to) && !isTerminal(d.decision.snapshot.state),
    );
    if (ended.length === 0) return;
    await tx.query(closeExecutions, [ended.map((d) => d.decision.snapshot.id)]);
    await noteOutcomes(
      tx,
      ended.map(({ execution, decision }) => ({
        id: decision.snapshot.id,
        plan: execution.at.whole,
        outcome: decision.to.toUpperCase() as NoticeOutcome,
      })),
    );
    const kept = ended.flatMap((d) => {
      const { retention } = d.execution.at.whole;
      const ms = d.decision.to === 'succeeded' ? retention.succeededMs : retention.failedMs;
      return ms === null ? [] : [{ id: d.decision.snapshot.id, ms }];
    });
    if (kept.length > 0) await tx.query(setRetention, [kept.map((k) => k.id), kept.map((k) => k.ms)]);
  }
}

/** What a node spawns; a PIPELINE is a fan-out of one. */
function spawnedBy({
  id,
  config,
}: PlannedNode): Pick<SpawnerConfig, 'child' | 'maxConcurrency' | 'priority' | 'itemKey' | 'rollout'> {
  if (config.type === 'SPAWNER') return config;
  if (config.type !== 'PIPELINE') throw new Error(`node ${id} spawns nothing`);
  return { child: config.child, maxConcurrency: null, priority: null, itemKey: null, rollout: null };
}

function refusedFanOut(depth: number, missingPipeline: string | null, nodeId: string): string | null {
  if (missingPipeline !== null)
    return JSON.stringify({
      class: 'PERMANENT',
      code: 'PIPELINE.NOT_FOUND',
      message: `there is no pipeline ${missingPipeline}`,
      nodeId,
    });
  if (depth > 16)
    return JSON.stringify({
      class: 'PERMANENT',
      code: 'FAN_OUT.TOO_DEEP',
      message: 'fan-outs nest at most 16 deep',
      nodeId,
    });
  return null;
}
