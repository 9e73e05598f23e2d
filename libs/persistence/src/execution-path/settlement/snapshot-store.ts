import {
  isSpawning,
  itemIndexOf,
  type ExecutionSnapshot,
  type ExecutionState,
  type FanOutSnapshot,
  type FiredTimer,
  type KeptSignal,
  type Plan,
  type TaskSnapshot,
} from '@app/domain';
import type { Tx } from '../../database/database.js';
import type { FanOutFacts, FanOutFactSource } from '../fan-out-facts.js';
import type { PlanSource, VersionedPlan } from '../plan-source.js';
import { loadExecutions } from './load-executions.sql.js';
import { loadFanOuts } from './load-fan-outs.sql.js';
import { loadOutputs } from './load-outputs.sql.js';
import { loadPayloads } from './load-payloads.sql.js';
import { loadSignals } from '../signals/load-signals.sql.js';
import { loadFiredTimers } from '../timers/load-fired-timers.sql.js';
import { usesTimers } from '../timers/uses-timers.js';
import { lockExecutions } from './lock-executions.sql.js';

/** An execution as a decision needs it, with where it stands. */
export interface LoadedExecution {
  readonly snapshot: ExecutionSnapshot;
  readonly at: VersionedPlan;
  readonly priority: number;
  /** The fan-out it is a child of. */
  readonly fanOut: FanOutFacts | null;
}

type MutableSnapshot = { -readonly [K in keyof ExecutionSnapshot]: ExecutionSnapshot[K] } & {
  tasks: Map<number, TaskSnapshot>;
  fanOuts: Map<number, FanOutSnapshot>;
  firedTimers: FiredTimer[];
  signals: KeptSignal[];
};

/** Reads executions for decisions: sets in, sets out. */
export class SnapshotStore {
  constructor(
    private readonly plans: PlanSource,
    private readonly facts: FanOutFactSource,
  ) {}

  /** Locks executions in id order. */
  async lock(tx: Tx, ids: readonly string[]): Promise<void> {
    await tx.query(lockExecutions, [ids]);
  }

  /**
   * Loads executions that still exist, in no particular order.
   * @param lock whether their rows are locked first, in id order
   */
  async load(tx: Tx, ids: readonly string[], lock = false): Promise<LoadedExecution[]> {
    if (ids.length === 0) return [];
    if (lock) await tx.query(lockExecutions, [ids]);
    const { rows } = await tx.query(loadExecutions, [ids]);
    const facts = await this.facts.of(
      tx,
      rows.flatMap((r) => (r.fan_out_id === null ? [] : [r.fan_out_id as number])),
    );
    const loaded = new Map<string, LoadedExecution>();
    for (const r of rows) {
      let execution = loaded.get(r.id as string);
      if (!execution) {
        const fanOut = r.fan_out_id === null ? null : (facts.get(r.fan_out_id as number) ?? null);
        const path = fanOut ? fanOut.childPath : [];
        execution = {
          snapshot: emptySnapshot(r, fanOut),
          at: await this.plans.at(tx, r.version_id as number, path),
          priority: r.priority as number,
          fanOut,
        };
        loaded.set(r.id as string, execution);
      }
      if (r.node !== null)
        (execution.snapshot.tasks as Map<number, TaskSnapshot>).set(r.node as number, taskSnapshot(r));
    }
    const all = [...loaded.values()];
    await this.addPayloads(
      tx,
      all.filter((e) => readsPayloads(e.at.plan)),
    );
    await this.addFanOuts(
      tx,
      all.filter((e) => hasSpawner(e.at.plan)),
    );
    await this.addTimers(
      tx,
      all.filter((e) => usesTimers(e.at.plan)),
    );
    await this.addSignals(
      tx,
      all.filter((e) => e.at.plan.nodes.some((n) => n.type === 'SIGNAL')),
    );
    return all;
  }

  private async addPayloads(tx: Tx, loaded: readonly LoadedExecution[]): Promise<void> {
    if (loaded.length === 0) return;
    const byId = new Map(loaded.map((e) => [e.snapshot.id, e.snapshot as MutableSnapshot]));
    const ids = [...byId.keys()];
    const payloads = await tx.query(loadPayloads, [ids]);
    for (const r of payloads.rows) {
      const snapshot = byId.get(r.id as string)!;
      snapshot.input = r.input as string;
      snapshot.item = r.item as string | null;
      snapshot.labels = r.labels as string | null;
    }
    const outputs = await tx.query(loadOutputs, [ids]);
    for (const r of outputs.rows) {
      const { tasks } = byId.get(r.execution_id as string)!;
      const task = tasks.get(r.node as number);
      if (task) tasks.set(task.node, { ...task, output: r.output as string | null });
    }
  }

  private async addTimers(tx: Tx, loaded: readonly LoadedExecution[]): Promise<void> {
    if (loaded.length === 0) return;
    const byId = new Map(loaded.map((e) => [e.snapshot.id, e.snapshot as MutableSnapshot]));
    const { rows } = await tx.query(loadFiredTimers, [[...byId.keys()]]);
    for (const r of rows)
      byId.get(r.execution_id as string)!.firedTimers.push({ kind: r.kind as string, node: r.node as number | null });
  }

  private async addSignals(tx: Tx, loaded: readonly LoadedExecution[]): Promise<void> {
    if (loaded.length === 0) return;
    const byId = new Map(loaded.map((e) => [e.snapshot.id, e.snapshot as MutableSnapshot]));
    const { rows } = await tx.query<KeptSignal & { execution_id: string }>(loadSignals, [[...byId.keys()]]);
    for (const { execution_id, id, name, body } of rows) byId.get(execution_id)!.signals.push({ id, name, body });
  }

  private async addFanOuts(tx: Tx, loaded: readonly LoadedExecution[]): Promise<void> {
    if (loaded.length === 0) return;
    const byId = new Map(loaded.map((e) => [e.snapshot.id, e.snapshot as MutableSnapshot]));
    const { rows } = await tx.query(loadFanOuts, [[...byId.keys()]]);
    for (const r of rows)
      byId.get(r.parent_id as string)!.fanOuts.set(r.node as number, {
        id: r.id as number,
        node: r.node as number,
        total: r.total as number | null,
        sealed: r.sealed as boolean,
        closed: r.closed as boolean,
        verdict: r.verdict as FanOutSnapshot['verdict'],
        verdictReason: r.verdict_reason as string | null,
      });
  }
}

function emptySnapshot(r: Record<string, unknown>, fanOut: FanOutFacts | null): ExecutionSnapshot {
  return {
    id: r.id as string,
    seq: r.seq as number,
    state: r.state as ExecutionState,
    nowMs: r.now_ms as number,
    fanOutId: r.fan_out_id as number | null,
    rootId: fanOut ? fanOut.rootId : (r.id as string),
    parentId: fanOut ? fanOut.parentId : null,
    input: null,
    item: null,
    itemIndex: fanOut ? itemIndexOf(r.id as string) : null,
    labels: null,
    tasks: new Map(),
    fanOuts: new Map(),
    firedTimers: [],
    signals: [],
  };
}

function taskSnapshot(r: Record<string, unknown>): TaskSnapshot {
  return {
    node: r.node as number,
    state: r.task_state as TaskSnapshot['state'],
    unbegun: r.unbegun as boolean,
    attempt: r.attempt as number,
    charged: r.charged as number,
    snoozes: r.snoozes as number,
    losses: r.losses as number,
    outcome: r.outcome as TaskSnapshot['outcome'],
    snoozeMs: r.snooze_ms as number | null,
    error: r.error as string | null,
    output: null,
  };
}

const hasSpawner = (plan: Plan): boolean => plan.nodes.some((n) => isSpawning(n.type));

const readsPayloads = (plan: Plan): boolean =>
  plan.nodes.some((n) => n.type === 'TRANSFORM' || n.type === 'WAIT') ||
  plan.edges.some((e) => e.condition !== null || e.mapping !== null);
