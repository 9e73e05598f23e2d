/**
 * A decision while it is made: what it has changed so far, and the states it sees with that. Made from a part of the tasks, it notes
 * what it would have to know besides.
 */
import { ExpressionFailure } from '../expression/expression-failure.js';
import type { Scope } from '../expression/scope.js';
import { isPerformed, type Plan, type PlannedEdge, type PlannedNode } from '../pipeline/plan.js';
import { isMapped } from '../pipeline/plan-index.js';
import type { TaskState } from '../transition-table.js';
import { decisionScope } from './decision-scope.js';
import { edgeStatus, type EdgeStatus } from './edge-status.js';
import type { ArmedTimer, Comeback, EventDraft, TaskChange } from './execution-decision.js';
import { expressionFailure } from './node-failure.js';
import { edgeReads, isWide, templateReads } from './reach.js';
import type { ExecutionSnapshot, TaskSnapshot } from './snapshot.js';

export class DecisionDraft {
  protected readonly changes = new Map<number, TaskChange>();
  protected readonly events: EventDraft[] = [];
  protected readonly comebacks: Comeback[] = [];
  protected readonly spawns: number[] = [];
  protected readonly timers: ArmedTimer[] = [];
  protected readonly signals: number[] = [];
  protected readonly abandons: number[] = [];
  /** Nodes that settled; each is to be followed once. */
  protected readonly settled: number[] = [];
  protected readonly lacking = new Set<number>();
  protected readonly newlyDead = new Set<number>();
  protected started = false;

  constructor(
    protected readonly plan: Plan,
    protected readonly snapshot: ExecutionSnapshot,
  ) {}

  /** A node that can never run. */
  protected isDead(node: number): boolean {
    return this.newlyDead.has(node) || (this.snapshot.part?.dead.has(node) ?? false);
  }

  /** Whether all is known that the way of a node depends on; else it is noted as lacking. */
  protected knows(node: PlannedNode): boolean {
    const { part } = this.snapshot;
    if (!part) return true;
    const all =
      part.known.has(node.index) &&
      templateReads(node).every((n) => part.known.has(n)) &&
      (!isMapped(this.plan, node.index) || this.looksAt(node).length === node.incoming.length) &&
      this.looksAt(node).every((edge) => this.knowsEdge(edge));
    if (!all) this.lacking.add(node.index);
    return all;
  }

  protected knowsEdge(edge: PlannedEdge): boolean {
    const { part } = this.snapshot;
    return !part || (part.known.has(edge.from) && edgeReads(this.plan, edge).every((n) => part.known.has(n)));
  }

  /** The edges to a node that are looked at: all but where there are very many. */
  protected looksAt(node: PlannedNode): readonly PlannedEdge[] {
    const { part } = this.snapshot;
    return part && isWide(node) ? [...(part.looks.get(node.index)?.keys() ?? [])] : node.incoming;
  }

  protected statusOf(edge: PlannedEdge): EdgeStatus {
    return edgeStatus(this.plan, edge, this.stateOf(edge.from), this.isDead(edge.from), () => this.scope());
  }

  protected stateOf(index: number): TaskState | null {
    return this.changes.get(index)?.to ?? this.snapshot.tasks.get(index)?.state ?? null;
  }

  protected node(index: number): PlannedNode {
    return this.plan.nodes[index]!;
  }

  protected isRunByUs(index: number): boolean {
    return !isPerformed(this.node(index).type);
  }

  protected start(): void {
    if (this.snapshot.state === 'pending' || this.snapshot.state === 'ready') this.started = true;
  }

  protected skip(node: PlannedNode, task: TaskSnapshot | null): void {
    this.change(task ?? node.index, 'skipped');
    this.events.push({ kind: 'node_skipped', node: node.index, attempt: null, data: null });
    this.settled.push(node.index);
  }

  protected settle(
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

  protected evaluated(node: PlannedNode, task: TaskSnapshot | null, evaluate: () => string): void {
    this.orFail(node, task, () => this.settle(node, task, 'succeeded', { output: evaluate() }));
  }

  /** An expression that fails at run time is a permanent failure of its task. */
  protected orFail(node: PlannedNode, task: TaskSnapshot | null, run: () => void): void {
    try {
      run();
    } catch (error) {
      if (!(error instanceof ExpressionFailure)) throw error;
      this.settle(node, task, 'failed', { error: expressionFailure(error, node.id) });
    }
  }

  protected change(task: TaskSnapshot | number, to: TaskState, more: Partial<TaskChange> = {}): void {
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

  protected scope(): Scope {
    return decisionScope(this.plan, this.snapshot, this.changes);
  }
}
