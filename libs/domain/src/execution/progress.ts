/**
 * The one decision about a running execution: settle the attempts that ended, unlock what became possible, skip what was
 * not taken, run what needs no executor, and end the execution when nothing is open any more.
 *
 * Edges. An edge is *taken* when its upstream succeeded and its condition holds, or when its upstream failed and a
 * condition on that state holds; *passed over* when the condition is false or the upstream was skipped; *broken* when the
 * upstream failed, was cancelled or can never run. ALL_SUCCEEDED runs when every edge is taken or passed over and at least
 * one is taken; ALL_DONE when every edge is resolved and at least one is not passed over; ANY_SUCCEEDED at the first taken
 * edge. A node whose edges are all passed over is skipped; one that can never run stays without a task.
 *
 * A failed node is *handled* when a node that ran took it by ALL_DONE, ANY_SUCCEEDED or an edge condition. The execution
 * fails when nothing is open and an unhandled failure is left.
 *
 * Of a large execution a decision is made from a part of its tasks (reach.ts), with a count of those that are open and the set of
 * nodes that never run. What the part lacks is asked for; the end of an execution is decided from all of it.
 */
import type { FailureDetail } from '../failure/failure-detail.js';
import { fingerprint } from '../failure/fingerprint.js';
import { ExpressionFailure } from '../expression/expression-failure.js';
import { evaluateTemplate } from '../expression/template.js';
import { isPerformed, type Plan, type PlannedEdge, type SignalConfig, type WaitConfig } from '../pipeline/plan.js';
import type { PlannedNode } from '../pipeline/plan.js';
import { mergeOf } from '../pipeline/plan-index.js';
import { endAttempt } from '../task/attempt-end.js';
import { isTerminal, type ExecutionState } from '../transition-table.js';
import { factOfEnd } from './attempt-facts.js';
import { DecisionDraft } from './decision-draft.js';
import { nodeScope } from './node-scope.js';
import type { EdgeStatus } from './edge-status.js';
import { edgeTimedOut, edgeTimers, lateEdge } from './edge-timeouts.js';
import { isSettled, openTasks, tellEnd, unhandledFailure } from './execution-end.js';
import { isLacking, type ArmedTimer, type ExecutionDecision, type Lacking } from './execution-decision.js';
import { cancelledByFailFast, expressionFailure, failure, isToleranceFailure, withNode } from './node-failure.js';
import { NodeSet } from './node-set.js';
import type { ExecutionSnapshot, TaskSnapshot } from './snapshot.js';
import { waitsUntilMs } from './waiting-time.js';

/** Randomness for jitter, passed in. */
export type Chance = () => number;

/** So many nodes an orchestrator runs in one decision; with more it goes on in the next, so that each stays short. */
const mostRun = 200;

/** @returns null: there is nothing to decide */
export function decideFromPart(
  plan: Plan,
  snapshot: ExecutionSnapshot,
  chance: Chance,
): ExecutionDecision | Lacking | null {
  return new Progress(plan, snapshot, chance).decide([]);
}

/** The same from all of the tasks. @param begin nodes that nothing comes before */
export function decideProgress(
  plan: Plan,
  snapshot: ExecutionSnapshot,
  chance: Chance,
  begin: readonly number[] = [],
): ExecutionDecision | null {
  const decision = new Progress(plan, snapshot, chance).decide(begin);
  if (isLacking(decision)) throw new Error('a decision needs the tasks of the whole execution');
  return decision;
}

class Progress extends DecisionDraft {
  private readonly continues: number[] = [];
  private readonly openFrom = new Map<number, number>();
  private readonly single: boolean;
  private ran = 0;

  constructor(
    plan: Plan,
    snapshot: ExecutionSnapshot,
    private readonly chance: Chance,
  ) {
    super(plan, snapshot);
    this.single = plan.nodes.length === 1;
  }

  decide(begin: readonly number[]): ExecutionDecision | Lacking | null {
    const { snapshot } = this;
    if (isTerminal(snapshot.state)) return null;
    if (!this.single && !snapshot.part) this.markDead();
    for (const task of snapshot.tasks.values())
      if (!snapshot.part || snapshot.part.about.has(task.node)) this.lookAt(task);
    for (const timer of snapshot.state === 'paused' ? [] : snapshot.firedTimers) {
      const edge = lateEdge(this.plan, timer);
      if (edge) this.failLate(edge);
    }
    for (const node of begin) this.begin(node);
    if (!this.single)
      for (let i = 0; i < this.settled.length; i++)
        for (const edge of this.node(this.settled[i]!).outgoing) this.consider(edge.to);
    return this.conclude();
  }

  private lookAt(task: TaskSnapshot): void {
    if (task.state === 'recorded') this.endRecorded(task);
    else if (task.state === 'waiting') this.settleWaiting(task);
    else if (
      task.state === 'pending' &&
      !task.unbegun &&
      this.snapshot.state === 'running' &&
      this.isRunByUs(task.node)
    )
      this.begin(task.node);
  }

  /** An attempt ended: settle the task or send it back for another attempt. */
  private endRecorded(task: TaskSnapshot): void {
    const node = this.node(task.node);
    const end = endAttempt(task, node.retry, this.chance());
    this.events.push(factOfEnd(task, end));
    if (end.kind === 'again') {
      const { delayMs, charged, snoozes, losses } = end;
      this.change(task, 'pending', { availableInMs: delayMs, charged, snoozes, losses });
      this.comebacks.push({ node: task.node, delayMs, child: false, suspect: losses >= 2 });
    } else {
      this.change(task, end.kind);
      this.settled.push(task.node);
    }
  }

  /** The time of an edge is over. A running attempt was fenced out when the timer fired, and is recorded soon. */
  private failLate(edge: PlannedEdge): void {
    const task = this.snapshot.tasks.get(edge.to) ?? null;
    const state = this.stateOf(edge.to);
    if (!this.knows(this.node(edge.to)) || this.isDead(edge.to) || state === 'running' || isSettled(state)) return;
    this.comebacks.splice(0, Infinity, ...this.comebacks.filter((c) => c.node !== edge.to));
    const node = this.node(edge.to);
    const fanOut = this.snapshot.fanOuts.get(node.config.type === 'MERGE' ? node.config.of : edge.to);
    if (fanOut?.verdict === 'open') this.abandons.push(fanOut.id);
    this.settle(node, task, 'failed', { error: edgeTimedOut(this.plan, edge) });
  }

  /** What the orchestrator runs and what waited for a fan-out. */
  private settleWaiting(task: TaskSnapshot): void {
    const node = this.node(task.node);
    if (node.type === 'SPAWNER') this.settleSpawner(node, task);
    else if (node.type === 'PIPELINE') this.settlePipeline(node, task);
    else if (node.type === 'MERGE') this.settleMerge(node, task);
    // what falls due during a pause takes effect at resume
    else if (node.type === 'WAIT' && this.snapshot.state !== 'paused' && this.hasFired(node, 'wait'))
      this.settle(node, task, 'succeeded', { output: null });
    else if (node.config.type === 'SIGNAL' && this.snapshot.state !== 'paused')
      this.settleSignal(node, node.config, task);
  }

  /** One signal of its name settles the node, and is nobody else's then; without one, its time may be over. */
  private settleSignal(node: PlannedNode, config: SignalConfig, task: TaskSnapshot | null): boolean {
    const name = config.name.literalPrefix!;
    const signal = this.snapshot.signals.find((s) => s.name === name && !this.signals.includes(s.id));
    if (signal) {
      this.signals.push(signal.id);
      this.settle(node, task, 'succeeded', { output: signal.body });
    } else if (this.hasFired(node, 'signal')) {
      const error = failure('TIMEOUT', 'SIGNAL.TIMED_OUT', `no signal ${name} came in ${node.timeoutMs} ms`, node.id);
      this.settle(node, task, 'failed', { error });
    } else return false;
    return true;
  }

  private hasFired(node: PlannedNode, kind: ArmedTimer['kind']): boolean {
    return this.snapshot.firedTimers.some((t) => t.node === node.index && t.kind === kind);
  }

  private settleSpawner(node: PlannedNode, task: TaskSnapshot | null): void {
    const fanOut = this.snapshot.fanOuts.get(node.index);
    if (!fanOut) return;
    const merge = mergeOf(this.plan, node.index);
    if (fanOut.verdict === 'failed' && (!merge || !fanOut.sealed)) {
      // closed early by its budget, the failure is the merge's; closed because the spawner could not go on, it is its own
      if (merge && isToleranceFailure(fanOut.verdictReason)) {
        this.settle(node, task, 'cancelled', { error: cancelledByFailFast(node.id) });
        this.settle(this.node(merge.index), this.snapshot.tasks.get(merge.index) ?? null, 'failed', {
          error: withNode(fanOut.verdictReason, merge.id),
        });
      } else this.settle(node, task, 'failed', { error: withNode(fanOut.verdictReason, node.id) });
    } else if ((fanOut.sealed && merge) || fanOut.verdict === 'passed') {
      // one that was cancelled may pass without having been sealed
      if (fanOut.sealed)
        this.events.push({ kind: 'fanout_sealed', node: node.index, attempt: null, data: `{"total":${fanOut.total}}` });
      this.settle(node, task, 'succeeded', {
        output: fanOut.verdict === 'passed' ? fanOut.verdictReason : `{"total":${fanOut.total}}`,
      });
    }
  }

  /** The verdict about a fan-out of one tells what its child brought: its output, or its error. */
  private settlePipeline(node: PlannedNode, task: TaskSnapshot | null): void {
    const fanOut = this.snapshot.fanOuts.get(node.index);
    if (fanOut?.verdict === 'passed') this.settle(node, task, 'succeeded', { output: fanOut.verdictReason });
    else if (fanOut?.verdict === 'failed')
      this.settle(node, task, 'failed', { error: withNode(fanOut.verdictReason, node.id) });
  }

  private settleMerge(node: PlannedNode, task: TaskSnapshot | null): void {
    if (this.changes.has(node.index)) return;
    const of = node.config.type === 'MERGE' ? node.config.of : -1;
    const fanOut = this.snapshot.fanOuts.get(of);
    if (!fanOut || fanOut.verdict === 'open') return;
    if (fanOut.verdict === 'passed') this.settle(node, task, 'succeeded', { output: fanOut.verdictReason });
    else this.settle(node, task, 'failed', { error: withNode(fanOut.verdictReason, node.id) });
  }

  /** Starts a node whose inputs are there. */
  private begin(index: number): void {
    const node = this.node(index);
    const task = this.snapshot.tasks.get(index) ?? null;
    if (this.changes.has(index) || (task && task.state !== 'pending') || !this.knows(node)) return;
    if (isPerformed(node.type)) {
      this.change(task ?? index, 'pending');
      const child = this.snapshot.state === 'pending' && !this.started;
      this.comebacks.push({ node: index, delayMs: 0, child, suspect: false });
      return;
    }
    this.start();
    if (++this.ran > mostRun) {
      if (!task || task.unbegun) this.change(task ?? index, 'pending');
      this.continues.push(index);
      return;
    }
    if (node.config.type === 'TRANSFORM') {
      const output = node.config.output;
      this.evaluated(node, task, () => evaluateTemplate(output, nodeScope(this.plan, node, this.scope())));
      return;
    }
    if (node.config.type === 'WAIT') return this.beginWait(node, node.config, task);
    if (node.config.type === 'SIGNAL') return this.beginSignal(node, node.config, task);
    this.change(task ?? index, 'waiting');
    if (node.type === 'SPAWNER' || node.type === 'PIPELINE') {
      if (!this.snapshot.fanOuts.has(index)) {
        this.spawns.push(index);
        this.events.push({ kind: 'fanout_planned', node: index, attempt: null, data: null });
      } else if (node.type === 'SPAWNER') this.settleSpawner(node, task);
      else this.settlePipeline(node, task);
    } else {
      this.changes.delete(index);
      this.settleMerge(node, task);
      if (!this.changes.has(index)) this.change(task ?? index, 'waiting');
    }
  }

  private beginWait(node: PlannedNode, config: WaitConfig, task: TaskSnapshot | null): void {
    this.orFail(node, task, () => {
      const { nowMs } = this.snapshot;
      const scope = nodeScope(this.plan, node, this.scope());
      const dueMs = waitsUntilMs(config, `nodes[${node.index}].config`, scope, nowMs);
      if (dueMs <= nowMs) return this.settle(node, task, 'succeeded', { output: null });
      this.change(task ?? node.index, 'waiting');
      this.timers.push({ kind: 'wait', node: node.index, dueMs });
    });
  }

  private beginSignal(node: PlannedNode, config: SignalConfig, task: TaskSnapshot | null): void {
    if (this.snapshot.state !== 'paused' && this.settleSignal(node, config, task)) return;
    this.change(task ?? node.index, 'waiting');
    if (node.timeoutMs !== null)
      this.timers.push({ kind: 'signal', node: node.index, dueMs: this.snapshot.nowMs + node.timeoutMs });
  }

  /** An edge to a node is resolved. Where the node can never run, those behind it are looked at in their turn. */
  private consider(index: number): void {
    const open = [index];
    for (let i = 0; i < open.length; i++) {
      const node = this.node(open[i]!);
      if (!this.dies(node)) continue;
      this.newlyDead.add(node.index);
      for (const edge of node.outgoing) open.push(edge.to);
    }
  }

  /** Begins or skips a node if its edges allow it. @returns whether it can never run */
  private dies(node: PlannedNode): boolean {
    const { index } = node;
    if (this.changes.has(index) || this.isDead(index) || !this.knows(node)) return false;
    const task = this.snapshot.tasks.get(index);
    // One that is pending otherwise has begun: it waits for admission, or for its next attempt.
    if (task && !(task.state === 'pending' && task.unbegun)) return false;
    const edges = this.looksAt(node);
    const statuses: EdgeStatus[] = [];
    for (const edge of edges) {
      try {
        statuses.push(this.statusOf(edge));
      } catch (error) {
        if (!(error instanceof ExpressionFailure)) throw error;
        this.start();
        this.settle(node, task ?? null, 'failed', { error: expressionFailure(error, node.id) });
        return false;
      }
    }
    const some = (s: EdgeStatus) => statuses.includes(s);
    if (node.join === 'ANY_SUCCEEDED' && some('taken')) return this.goesOn(() => this.begin(index));
    if (some('open')) return this.goesOn(() => this.remember(node, edges, statuses));
    if (edges.length < node.incoming.length) return this.goesOn(() => this.lacking.add(index));
    if (statuses.every((s) => s === 'passed-over')) return this.goesOn(() => this.skip(node, task ?? null));
    const runs = node.join === 'ALL_DONE' || (node.join === 'ALL_SUCCEEDED' && !some('broken') && some('taken'));
    return runs ? this.goesOn(() => this.begin(index)) : true;
  }

  private goesOn(how: () => unknown): false {
    how();
    return false;
  }

  /** The next decision looks there first. */
  private remember(node: PlannedNode, edges: readonly PlannedEdge[], statuses: readonly EdgeStatus[]): void {
    const looks = this.snapshot.part?.looks.get(node.index);
    if (!looks) return;
    const seen = edges.find((edge, i) => statuses[i] === 'open' && looks.get(edge) !== null);
    const position = seen && looks.get(seen);
    if (typeof position === 'number') this.openFrom.set(node.index, position);
  }

  /** Nodes that earlier failures have made unreachable. */
  private markDead(): void {
    const failed = [...this.snapshot.tasks.values()].filter((t) => t.state === 'failed' || t.state === 'cancelled');
    for (const task of failed)
      for (const edge of this.node(task.node).outgoing)
        if (this.snapshot.tasks.get(edge.to)?.unbegun ?? true) this.consider(edge.to);
  }

  private conclude(): ExecutionDecision | Lacking | null {
    const { snapshot } = this;
    if (this.lacking.size > 0) return { lacks: [...this.lacking] };
    const open = openTasks(snapshot, this.changes);
    let to: ExecutionState = this.started ? 'running' : snapshot.state;
    let error: string | null = null;
    if (open === 0 && snapshot.state !== 'paused') {
      if (snapshot.part) return { lacks: 'all' };
      const unhandled = unhandledFailure(this.plan, snapshot, this.changes);
      to = unhandled ? 'failed' : 'succeeded';
      error = unhandled;
      for (const task of snapshot.tasks.values())
        if (task.unbegun && !this.changes.has(task.node)) this.change(task, 'skipped');
      tellEnd(this.events, to, error);
    }
    if (this.changes.size === 0 && this.continues.length === 0 && to === snapshot.state) return null;
    if (this.started)
      this.events.unshift({
        kind: snapshot.state === 'ready' ? 'execution_started' : 'opened',
        node: null,
        attempt: null,
        data: null,
      });
    this.timers.push(...this.armEdges());
    if (this.lacking.size > 0) return { lacks: [...this.lacking] };
    return {
      snapshot,
      to,
      starts: this.started,
      tasks: [...this.changes.values()],
      events: this.events,
      comebacks: to === snapshot.state || to === 'running' ? this.comebacks : [],
      spawns: this.spawns,
      timers: this.timers,
      abandons: this.abandons,
      signals: this.signals,
      error,
      fingerprint: error ? fingerprint(JSON.parse(error) as FailureDetail) : null,
      standing: snapshot.large ? { open, dead: (snapshot.part?.dead ?? NodeSet.none).with(this.newlyDead) } : null,
      continues: isTerminal(to) ? [] : this.continues,
      openFrom: this.openFrom,
    };
  }

  private armEdges(): ArmedTimer[] {
    const isOpen = (n: number) => !isSettled(this.stateOf(n)) && !this.isDead(n);
    const status = (edge: PlannedEdge): EdgeStatus => {
      if (this.knowsEdge(edge)) return this.statusOf(edge);
      this.lacking.add(edge.to);
      return 'open';
    };
    return edgeTimers(this.plan, this.settled, isOpen, status, this.snapshot.nowMs);
  }
}
