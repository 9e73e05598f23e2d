import {
  executionOutput,
  type ExecutionDecision,
  type ExecutionSnapshot,
  type ExecutionState,
  type FanOutSnapshot,
  type FiredTimer,
  type KeptSignal,
  type Plan,
  type PlannedNode,
  type Scope,
  type Tally,
  type TaskSnapshot,
} from '@app/domain';

type Open<T> = { -readonly [Member in keyof T]: T[Member] };

/** A task, and how often it has been claimed or fenced out: what was begun before carries an older number. */
export interface MemoryTask extends Open<TaskSnapshot> {
  token: number;
}

export interface MemoryFanOut extends Open<FanOutSnapshot> {
  readonly parent: MemoryExecution;
  readonly children: MemoryExecution[];
  /** Children that have not begun, in item order. */
  readonly pending: MemoryExecution[];
  tally: Tally;
}

export interface MemoryAttempt {
  readonly executionId: string;
  readonly nodeId: string;
  readonly attempt: number;
  /** Virtual milliseconds since the start of the run. */
  readonly startedMs: number;
  readonly endedMs: number;
  readonly outcome: string;
  /** JSON text. */
  readonly error: string | null;
}

export interface Lineage {
  readonly fanOut: MemoryFanOut;
  /** Exact JSON text. */
  readonly item: string;
  readonly index: number;
  readonly key: string | null;
}

/** One execution: what the tables hold of it. */
export class MemoryExecution {
  state: ExecutionState = 'pending';
  /** JSON text of the failure. */
  error: string | null = null;
  readonly tasks = new Map<number, MemoryTask>();
  /** By position of the spawner. */
  readonly fanOuts = new Map<number, MemoryFanOut>();
  readonly attempts: MemoryAttempt[] = [];
  signals: KeptSignal[] = [];
  startedMs: number | null = null;
  endedMs: number | null = null;

  constructor(
    readonly id: string,
    readonly rootId: string,
    readonly plan: Plan,
    /** Exact JSON text. */
    readonly input: string,
    readonly labels: string,
    readonly lineage: Lineage | null,
  ) {}

  get isOver(): boolean {
    return this.state === 'succeeded' || this.state === 'failed' || this.state === 'cancelled';
  }

  get output(): string | null {
    if (this.state !== 'succeeded') return null;
    const ends = this.plan.ends.filter((end) => this.tasks.get(end)?.state === 'succeeded');
    return executionOutput(this.plan, new Map(ends.map((end) => [end, this.tasks.get(end)!.output])));
  }

  snapshot(nowMs: number, firedTimers: readonly FiredTimer[]): ExecutionSnapshot {
    const { id, rootId, state, input, labels, lineage, tasks, fanOuts, signals } = this;
    return {
      id,
      seq: 0,
      state,
      nowMs,
      fanOutId: lineage?.fanOut.id ?? null,
      rootId,
      parentId: lineage?.fanOut.parent.id ?? null,
      input,
      item: lineage?.item ?? null,
      itemIndex: lineage?.index ?? null,
      labels,
      tasks,
      fanOuts,
      firedTimers,
      signals,
    };
  }

  /** What the templates of an attempt see. */
  scope(secret: (name: string) => string | undefined): Scope {
    const { id, input, labels, lineage, plan } = this;
    return {
      input,
      ...(lineage ? { item: lineage.item, index: lineage.index } : {}),
      node: (name) => {
        const node = plan.nodes.find((one) => one.id === name);
        const task = node && this.tasks.get(node.index);
        return node && { output: task?.output ?? null, state: (task?.state ?? 'pending').toUpperCase() };
      },
      executionId: id,
      parentId: lineage?.fanOut.parent.id ?? null,
      labels,
      secret,
    };
  }

  /** Moves what the decision says about tasks, signals and the execution itself. */
  apply(decision: ExecutionDecision, nowMs: number): void {
    for (const change of decision.tasks) {
      const task = this.tasks.get(change.node) ?? newTask(change.node);
      const { to, charged, snoozes, losses } = change;
      Object.assign(task, { state: to, charged, snoozes, losses });
      if (to === 'pending') task.outcome = null;
      if (change.output !== null) task.output = change.output;
      if (change.error !== null) task.error = change.error;
      this.tasks.set(change.node, task);
    }
    this.signals = this.signals.filter(({ id }) => !decision.signals.includes(id));
    this.startedMs ??= decision.starts ? nowMs : null;
    this.state = decision.to;
    this.error = decision.error;
    if (this.isOver) this.endedMs = nowMs;
  }

  node(index: number): PlannedNode {
    return this.plan.nodes[index]!;
  }
}

function newTask(node: number): MemoryTask {
  return {
    node,
    state: 'pending',
    attempt: 0,
    charged: 0,
    snoozes: 0,
    losses: 0,
    outcome: null,
    snoozeMs: null,
    error: null,
    output: null,
    token: 0,
  };
}
