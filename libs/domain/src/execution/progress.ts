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
 */
import type { FailureDetail } from '../failure/failure-detail.js';
import { fingerprint } from '../failure/fingerprint.js';
import { ExpressionFailure } from '../expression/expression-failure.js';
import type { Scope } from '../expression/scope.js';
import { decisionScope } from './decision-scope.js';
import { evaluateTemplate } from '../expression/template.js';
import {
  isPerformed,
  type Plan,
  type PlannedEdge,
  type PlannedNode,
  type SignalConfig,
  type WaitConfig,
} from '../pipeline/plan.js';
import { endAttempt } from '../task/attempt-end.js';
import { isTerminal, type ExecutionState, type TaskState } from '../transition-table.js';
import { factOfEnd } from './attempt-facts.js';
import { nodeScope } from './node-scope.js';
import { edgeStatus, type EdgeStatus } from './edge-status.js';
import { edgeTimedOut, edgeTimers, lateEdge } from './edge-timeouts.js';
import { anythingOpen, isSettled, tellEnd, unhandledFailure } from './execution-end.js';
import type { ArmedTimer, Comeback, EventDraft, ExecutionDecision, TaskChange } from './execution-decision.js';
import { cancelledByFailFast, expressionFailure, failure, isToleranceFailure, withNode } from './node-failure.js';
import type { ExecutionSnapshot, TaskSnapshot } from './snapshot.js';
import { waitsUntilMs } from './waiting-time.js';

/** Randomness for jitter, passed in. */
export type Chance = () => number;

export function decideProgress(
  plan: Plan,
  snapshot: ExecutionSnapshot,
  chance: Chance,
  begin: readonly number[] = [],
): ExecutionDecision | null {
  return new Progress(plan, snapshot, chance).decide(begin);
}

class Progress {
  private readonly changes = new Map<number, TaskChange>();
  private readonly events: EventDraft[] = [];
  private readonly comebacks: Comeback[] = [];
  private readonly spawns: number[] = [];
  private readonly timers: ArmedTimer[] = [];
  private readonly signals: number[] = [];
  private readonly abandons: number[] = [];
  private readonly ended: number[] = [];
  private readonly settled: number[] = [];
  private readonly dead = new Set<number>();
  private started = false;
  private readonly single: boolean;

  constructor(
    private readonly plan: Plan,
    private readonly snapshot: ExecutionSnapshot,
    private readonly chance: Chance,
  ) {
    this.single = plan.nodes.length === 1;
  }

  decide(begin: readonly number[]): ExecutionDecision | null {
    const { snapshot } = this;
    if (isTerminal(snapshot.state)) return null;
    if (!this.single) this.markDead();
    for (const task of snapshot.tasks.values()) {
      if (task.state === 'recorded') this.endRecorded(task);
      else if (task.state === 'waiting') this.settleWaiting(task);
      else if (
        task.state === 'pending' &&
        !task.unbegun &&
        snapshot.state === 'running' &&
        !isPerformed(this.node(task.node).type)
      )
        this.begin(task.node);
    }
    for (const timer of snapshot.state === 'paused' ? [] : snapshot.firedTimers) {
      const edge = lateEdge(this.plan, timer);
      if (edge) this.failLate(edge);
    }
    for (const node of begin) this.begin(node);
    while (this.settled.length > 0) this.unlockAfter(this.settled.shift()!);
    return this.conclude();
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
    if (this.dead.has(edge.to) || state === 'running' || isSettled(state)) return;
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
    const merge = this.mergeOf(node.index);
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

  private mergeOf(spawner: number): PlannedNode | null {
    return this.plan.nodes.find((n) => n.config.type === 'MERGE' && n.config.of === spawner) ?? null;
  }

  /** Starts a node whose inputs are there. */
  private begin(index: number): void {
    const node = this.node(index);
    const task = this.snapshot.tasks.get(index) ?? null;
    if (this.changes.has(index) || (task && task.state !== 'pending')) return;
    if (isPerformed(node.type)) {
      this.change(task ?? index, 'pending');
      const child = this.snapshot.state === 'pending' && !this.started;
      this.comebacks.push({ node: index, delayMs: 0, child, suspect: false });
      return;
    }
    this.start();
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

  private evaluated(node: PlannedNode, task: TaskSnapshot | null, evaluate: () => string): void {
    this.orFail(node, task, () => this.settle(node, task, 'succeeded', { output: evaluate() }));
  }

  /** An expression that fails at run time is a permanent failure of its task. */
  private orFail(node: PlannedNode, task: TaskSnapshot | null, run: () => void): void {
    try {
      run();
    } catch (error) {
      if (!(error instanceof ExpressionFailure)) throw error;
      this.settle(node, task, 'failed', { error: expressionFailure(error, node.id) });
    }
  }

  /** A settled node resolves its outgoing edges; each downstream node is looked at again. */
  private unlockAfter(index: number): void {
    if (this.single) return;
    this.ended.push(index);
    for (const edge of this.node(index).outgoing) this.consider(edge.to);
  }

  private consider(index: number): void {
    if (this.changes.has(index) || this.dead.has(index)) return;
    const task = this.snapshot.tasks.get(index);
    // One that is pending otherwise has begun: it waits for admission, or for its next attempt.
    if (task && !(task.state === 'pending' && task.unbegun)) return;
    const node = this.node(index);
    const statuses: EdgeStatus[] = [];
    for (const edge of node.incoming) {
      try {
        statuses.push(this.statusOf(edge));
      } catch (error) {
        if (!(error instanceof ExpressionFailure)) throw error;
        this.start();
        this.settle(node, task ?? null, 'failed', { error: expressionFailure(error, node.id) });
        return;
      }
    }
    const some = (s: EdgeStatus) => statuses.includes(s);
    if (node.join === 'ANY_SUCCEEDED' && some('taken')) return this.begin(index);
    if (some('open')) return;
    if (statuses.every((s) => s === 'passed-over')) return this.skip(node, task ?? null);
    const runs = node.join === 'ALL_DONE' || (node.join === 'ALL_SUCCEEDED' && !some('broken') && some('taken'));
    if (runs) return this.begin(index);
    this.dead.add(index);
    for (const edge of node.outgoing) this.consider(edge.to);
  }

  private statusOf(edge: PlannedEdge): EdgeStatus {
    return edgeStatus(this.plan, edge, this.stateOf(edge.from), this.dead.has(edge.from), () => this.scope());
  }

  /** Nodes that earlier failures have made unreachable. */
  private markDead(): void {
    const failed = [...this.snapshot.tasks.values()].filter((t) => t.state === 'failed' || t.state === 'cancelled');
    for (const task of failed)
      for (const edge of this.node(task.node).outgoing)
        if (this.snapshot.tasks.get(edge.to)?.unbegun ?? true) this.consider(edge.to);
  }

  private skip(node: PlannedNode, task: TaskSnapshot | null): void {
    this.change(task ?? node.index, 'skipped');
    this.events.push({ kind: 'node_skipped', node: node.index, attempt: null, data: null });
    this.settled.push(node.index);
  }

  private settle(
    node: PlannedNode,
    task: TaskSnapshot | null,
    to: 'succeeded' | 'failed' | 'cancelled',
    with_: { output?: string | null; error?: string },
  ): void {
    this.change(task ?? node.index, to, { output: with_.output ?? null, error: with_.error ?? null });
    if (to === 'succeeded') this.events.push({ kind: 'node_succeeded', node: node.index, attempt: null, data: null });
    if (to === 'failed')
      this.events.push({ kind: 'node_failed', node: node.index, attempt: null, data: `{"error":${with_.error}}` });
    this.settled.push(node.index);
  }

  private conclude(): ExecutionDecision | null {
    const open = anythingOpen(this.snapshot, this.changes);
    let to: ExecutionState = this.started ? 'running' : this.snapshot.state;
    let error: string | null = null;
    if (!open && this.snapshot.state !== 'paused') {
      const unhandled = unhandledFailure(this.plan, this.snapshot, this.changes);
      to = unhandled ? 'failed' : 'succeeded';
      error = unhandled;
      for (const task of this.snapshot.tasks.values())
        if (task.unbegun && !this.changes.has(task.node)) this.change(task, 'skipped');
      tellEnd(this.events, to, error);
    }
    if (this.changes.size === 0 && to === this.snapshot.state) return null;
    if (this.started)
      this.events.unshift({
        kind: this.snapshot.state === 'ready' ? 'execution_started' : 'opened',
        node: null,
        attempt: null,
        data: null,
      });
    const isOpen = (n: number) => !isSettled(this.stateOf(n)) && !this.dead.has(n);
    this.timers.push(...edgeTimers(this.plan, this.ended, isOpen, (e) => this.statusOf(e), this.snapshot.nowMs));
    return {
      snapshot: this.snapshot,
      to,
      starts: this.started,
      tasks: [...this.changes.values()],
      events: this.events,
      comebacks: to === this.snapshot.state || to === 'running' ? this.comebacks : [],
      spawns: this.spawns,
      timers: this.timers,
      abandons: this.abandons,
      signals: this.signals,
      error,
      fingerprint: error ? fingerprint(JSON.parse(error) as FailureDetail) : null,
    };
  }

  private start(): void {
    if (this.snapshot.state === 'pending' || this.snapshot.state === 'ready') this.started = true;
  }

  private stateOf(index: number): TaskState | null {
    return this.changes.get(index)?.to ?? this.snapshot.tasks.get(index)?.state ?? null;
  }

  private node(index: number): PlannedNode {
    return this.plan.nodes[index]!;
  }

  private change(task: TaskSnapshot | number, to: TaskState, more: Partial<TaskChange> = {}): void {
    const known = typeof task === 'number' ? null : task;
    const node = typeof task === 'number' ? task : task.node;
    this.changes.set(node, {
      node,
      from: known?.state ?? null,
      to,
      availableInMs: null,
      charged: known?.charged ?? 0,
      snoozes: known?.snoozes ?? 0,
      losses: to === 'succeeded' ? 0 : (known?.losses ?? 0),
      output: null,
      error: null,
      ...more,
    });
  }

  private scope(): Scope {
    return decisionScope(this.plan, this.snapshot, this.changes);
  }
}
