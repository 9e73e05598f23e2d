import {
  isSpawning,
  reachOf,
  type ExecutionSnapshot,
  type FanOutSnapshot,
  type KeptSignal,
  type Lacking,
  type TaskSnapshot,
} from '@app/domain';
import type { RecordedNodes } from '@app/contracts/messages/envelopes.js';
import type { Tx } from '../../database/database.js';
import type { FanOutFacts, FanOutFactSource } from '../fan-out-facts.js';
import type { PlanSource, VersionedPlan } from '../plan-source.js';
import { loadAtOnce } from './load-at-once.sql.js';
import { loadExecutions } from './load-executions.sql.js';
import { loadFanOutsOf } from './load-fan-outs-of.sql.js';
import { loadFanOuts } from './load-fan-outs.sql.js';
import { loadOutputs } from './load-outputs.sql.js';
import { loadTasks } from './load-tasks.sql.js';
import { loadPayloads } from './load-payloads.sql.js';
import { loadSignals } from '../signals/load-signals.sql.js';
import { loadFiredTimers } from '../timers/load-fired-timers.sql.js';
import { traitsOf, type PlanTraits } from '../plan-traits.js';
import { emptySnapshot, grown, taskSnapshot, type MutableSnapshot } from './snapshot-rows.js';
import { lockExecutions } from './lock-executions.sql.js';

/** An execution that something happened to, at these nodes; null: anywhere. */
export interface Touched {
  readonly id: string;
  readonly nodes: readonly number[] | null;
}

/** An execution as a decision needs it, with where it stands. */
export interface LoadedExecution {
  readonly snapshot: ExecutionSnapshot;
  readonly at: VersionedPlan;
  readonly priority: number;
  /** The fan-out it is a child of. */
  readonly fanOut: FanOutFacts | null;
}

/** Where nodes with very many upstream nodes saw one open: a hint, which a process may have or not. */
const openFromCapacity = 5_000;

/**
 * Reads executions for decisions: sets in, sets out. Of large ones it reads what is around the touched nodes (reach.ts), where their
 * count of open tasks is up to date; of all others all tasks.
 */
export class SnapshotStore {
  private readonly openFrom = new Map<string, number>();

  /** @param largeNodes executions of so many nodes are large */
  constructor(
    private readonly plans: PlanSource,
    private readonly facts: FanOutFactSource,
    private readonly largeNodes: number,
  ) {}

  /** Locks executions in id order. */
  async lock(tx: Tx, ids: readonly string[]): Promise<void> {
    await tx.query(lockExecutions, [ids]);
  }

  /**
   * Loads executions that still exist, in no particular order.
   * @param lock whether their rows are locked first, in id order
   */
  async load(tx: Tx, touched: readonly Touched[], lock = false): Promise<LoadedExecution[]> {
    if (touched.length === 0) return [];
    const ids = touched.map((t) => t.id);
    if (lock) await tx.query(lockExecutions, [ids]);
    const { rows } = await tx.query(loadExecutions, [ids, touched.map((t) => t.nodes === null)]);
    const facts = await this.facts.of(
      tx,
      rows.flatMap((r) => (r.fan_out_id === null ? [] : [r.fan_out_id as number])),
    );
    const loaded = new Map<string, LoadedExecution>();
    for (const r of rows) {
      let execution = loaded.get(r.id as string);
      if (!execution) {
        const fanOut = r.fan_out_id === null ? null : (facts.get(r.fan_out_id as number) ?? null);
        const at = await this.plans.at(tx, r.version_id as number, fanOut ? fanOut.childPath : []);
        const large = at.plan.nodes.length >= this.largeNodes;
        execution = { snapshot: emptySnapshot(r, fanOut, large), at, priority: r.priority as number, fanOut };
        loaded.set(r.id as string, execution);
      }
      if (r.node !== null) tasksOf(execution).set(r.node as number, taskSnapshot(r));
    }
    const all = [...loaded.values()];
    const traits = (which: keyof PlanTraits) => all.filter((e) => traitsOf(e.at.plan)[which]);
    await this.addTimers(tx, traits('usesTimers'));
    await this.addSignals(tx, traits('takesSignals'));
    const parts = all.filter((e) => e.snapshot.part);
    const wholes = all.filter((e) => !e.snapshot.part);
    await this.addPayloads(tx, traits('readsPayloads'));
    await this.addOutputs(
      tx,
      wholes.filter((e) => traitsOf(e.at.plan).readsPayloads),
    );
    await this.addFanOuts(
      tx,
      wholes.filter((e) => traitsOf(e.at.plan).spawns),
    );
    if (parts.length > 0) {
      const nodes = new Map(touched.map((t) => [t.id, t.nodes ?? []]));
      await this.addParts(
        tx,
        parts.map((execution) => ({ execution, lacks: nodes.get(execution.snapshot.id)! })),
        0,
      );
    }
    return all;
  }

  /**
   * Loads one top-level execution in one statement, for a decision about these nodes.
   * @returns null: it takes more than that
   */
  async loadAtOnce(db: Tx, { id, version, nodes }: RecordedNodes): Promise<LoadedExecution | null> {
    const at = await this.plans.at(db, version, []);
    const { usesTimers, takesSignals, spawns, readsPayloads } = traitsOf(at.plan);
    if (usesTimers || takesSignals || spawns) return null;
    const openFrom = (node: number) => this.openFrom.get(`${id}/${node}`) ?? 0;
    const reach = reachOf(at.plan, nodes, { round: 0, openFrom });
    const { rows } = await db.query(loadAtOnce, [id, [...reach.nodes], [...reach.outputs], readsPayloads]);
    const [r] = rows;
    if (!r || r.fan_out_id !== null || r.version_id !== version) return null;
    const large = at.plan.nodes.length >= this.largeNodes;
    const snapshot = emptySnapshot(r, null, large) as MutableSnapshot;
    if (snapshot.part) snapshot.part = grown(snapshot.part, nodes, reach);
    for (const row of rows)
      if (row.node !== null)
        snapshot.tasks.set(row.node as number, { ...taskSnapshot(row), output: row.output as string | null });
    const execution = { snapshot, at, priority: r.priority as number, fanOut: null };
    if (readsPayloads) await this.addPayloads(db, [execution]);
    return execution;
  }

  /**
   * The same execution with what a decision lacked; null: it is gone.
   * @param round how often in a row it has lacked something
   */
  async loadMore(
    tx: Tx,
    execution: LoadedExecution,
    lacks: Lacking['lacks'],
    round: number,
  ): Promise<LoadedExecution | null> {
    const { id } = execution.snapshot;
    if (lacks === 'all') return (await this.load(tx, [{ id, nodes: null }]))[0] ?? null;
    await this.addParts(tx, [{ execution, lacks }], round);
    return execution;
  }

  /** What a decision saw saves the next one a look. */
  remember(id: string, openFrom: ReadonlyMap<number, number>): void {
    for (const [node, position] of openFrom) {
      if (this.openFrom.size >= openFromCapacity) this.openFrom.delete(this.openFrom.keys().next().value as string);
      this.openFrom.set(`${id}/${node}`, position);
    }
  }

  private async addParts(
    tx: Tx,
    parts: readonly { execution: LoadedExecution; lacks: readonly number[] }[],
    round: number,
  ): Promise<void> {
    const wanted: { execution: LoadedExecution; node: number; reads: boolean }[] = [];
    for (const { execution, lacks } of parts) {
      const snapshot = execution.snapshot as MutableSnapshot;
      const { id, firedTimers } = snapshot;
      const about = round > 0 ? lacks : [...lacks, ...firedTimers.flatMap((t) => (t.node === null ? [] : [t.node]))];
      const openFrom = (node: number) => this.openFrom.get(`${id}/${node}`) ?? 0;
      const reach = reachOf(execution.at.plan, about, { round, openFrom });
      for (const node of reach.nodes) wanted.push({ execution, node, reads: reach.outputs.has(node) });
      snapshot.part = grown(snapshot.part!, round > 0 ? [] : about, reach);
    }
    const byId = new Map(parts.map(({ execution }) => [execution.snapshot.id, execution]));
    const { rows } = await tx.query(loadTasks, [
      wanted.map((w) => w.execution.snapshot.id),
      wanted.map((w) => w.node),
      wanted.map((w) => w.reads),
    ]);
    for (const r of rows) {
      const tasks = tasksOf(byId.get(r.execution_id as string)!);
      const task = taskSnapshot(r);
      tasks.set(task.node, { ...task, output: (r.output as string | null) ?? tasks.get(task.node)?.output ?? null });
    }
    const spawners = wanted.filter((w) => isSpawning(w.execution.at.plan.nodes[w.node]!.type));
    if (spawners.length === 0) return;
    const ids = spawners.map((s) => s.execution.snapshot.id);
    const fanOuts = await tx.query(loadFanOutsOf, [ids, spawners.map((s) => s.node)]);
    for (const r of fanOuts.rows) putFanOut(byId.get(r.parent_id as string)!, r);
  }

  private async addPayloads(tx: Tx, loaded: readonly LoadedExecution[]): Promise<void> {
    if (loaded.length === 0) return;
    const byId = new Map(loaded.map((e) => [e.snapshot.id, e.snapshot as MutableSnapshot]));
    const payloads = await tx.query(loadPayloads, [[...byId.keys()]]);
    for (const r of payloads.rows) {
      const snapshot = byId.get(r.id as string)!;
      snapshot.input = r.input as string;
      snapshot.item = r.item as string | null;
      snapshot.labels = r.labels as string | null;
    }
  }

  private async addOutputs(tx: Tx, loaded: readonly LoadedExecution[]): Promise<void> {
    if (loaded.length === 0) return;
    const byId = new Map(loaded.map((e) => [e.snapshot.id, e.snapshot as MutableSnapshot]));
    const outputs = await tx.query(loadOutputs, [[...byId.keys()]]);
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
    const byId = new Map(loaded.map((e) => [e.snapshot.id, e]));
    const { rows } = await tx.query(loadFanOuts, [[...byId.keys()]]);
    for (const r of rows) putFanOut(byId.get(r.parent_id as string)!, r);
  }
}

function tasksOf(execution: LoadedExecution): Map<number, TaskSnapshot> {
  return (execution.snapshot as MutableSnapshot).tasks;
}

function putFanOut(execution: LoadedExecution, r: Record<string, unknown>): void {
  (execution.snapshot as MutableSnapshot).fanOuts.set(r.node as number, {
    id: r.id as number,
    node: r.node as number,
    total: r.total as number | null,
    sealed: r.sealed as boolean,
    closed: r.closed as boolean,
    verdict: r.verdict as FanOutSnapshot['verdict'],
    verdictReason: r.verdict_reason as string | null,
  });
}
