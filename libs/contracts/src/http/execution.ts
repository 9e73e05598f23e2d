/** Executions as the api shows them. Payloads are `unknown`: their exact text is in the answer, not in a parsed value. */
export type ExecutionStateView = 'PENDING' | 'READY' | 'RUNNING' | 'PAUSED' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
export type NodeStateView =
  'PENDING' | 'READY' | 'RUNNING' | 'WAITING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED' | 'SKIPPED';

export interface ErrorView {
  readonly class: string;
  readonly code: string;
  readonly message: string;
  readonly nodeId?: string;
  readonly attempt?: number;
  readonly status?: number;
  readonly body?: string;
}

/** A row of a list. */
export interface ExecutionRowView {
  readonly id: string;
  readonly pipeline: { readonly name: string; readonly version: number };
  /** The spawner's id where the execution runs its inline node. */
  readonly node: string | null;
  readonly state: ExecutionStateView;
  readonly parentId: string | null;
  readonly rootId: string;
  /** The spawner in the parent's pipeline. */
  readonly spawnedBy: string | null;
  readonly itemIndex: number | null;
  readonly itemKey: string | null;
  /** The business key it was started with. */
  readonly key: string | null;
  readonly error: ErrorView | null;
  readonly fingerprint: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly priority: number;
  /** How often it was started. */
  readonly attempt: number;
  readonly traceId: string | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly openDescendants: number;
  /** With `?include=input,output`. */
  readonly input?: unknown;
  readonly output?: unknown;
}

export interface ExecutionView extends ExecutionRowView {
  readonly input: unknown;
  readonly output: unknown;
  readonly nodes: readonly NodeView[];
  /** The newest generation of each spawner. */
  readonly fanOuts: readonly FanOutView[];
}

export interface NodeView {
  readonly id: string;
  readonly type: string;
  readonly state: NodeStateView;
  readonly attempt: number;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  /** When a pending task is tried again. */
  readonly availableAt: string | null;
  readonly error: ErrorView | null;
}

/** The seven counters sum to `spawned`. */
export interface FanOutView {
  readonly nodeId: string;
  /** `name@version` */
  readonly childPipeline: string;
  readonly generation: number;
  readonly round: number;
  readonly total: number | null;
  readonly spawned: number;
  readonly sealed: boolean;
  readonly pending: number;
  readonly ready: number;
  readonly running: number;
  readonly paused: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly verdict: 'OPEN' | 'PASSED' | 'FAILED';
  readonly attached: number;
  readonly maxConcurrency: number | null;
  readonly deferredUntil: string | null;
  readonly deferredReason: string | null;
  /**
   * Where a progressive fan-out is: stage of stages (from 1), and how many children it has released; where the stage has stopped
   * it, how many of those had failed, and the ratio allowed as it was written.
   */
  readonly rollout: {
    readonly stage: number;
    readonly stages: number;
    readonly released: number;
    readonly stopped: { readonly failed: number; readonly allowed: string } | null;
  } | null;
}

export interface AttemptView {
  readonly nodeId: string;
  readonly attempt: number;
  /** Null while it runs. */
  readonly charged: boolean | null;
  readonly executor: string | null;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly outcome: string | null;
  readonly error: ErrorView | null;
}

export interface EventView {
  readonly seq: number;
  readonly type: string;
  readonly at: string;
  readonly nodeId?: string;
  readonly attempt?: number;
  readonly executor?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface LogLineView {
  readonly n: number;
  readonly at: string;
  readonly level: string;
  readonly nodeId: string | null;
  readonly attempt: number;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface FailureGroupView {
  readonly fingerprint: string;
  readonly class: string | null;
  readonly code: string | null;
  readonly status: number | null;
  readonly message: string | null;
  readonly sample: { readonly id: string; readonly error: ErrorView | null };
  readonly count: number;
}

export interface WhyView {
  readonly reason: string;
  readonly detail: string;
  readonly nodeId?: string;
  readonly until?: string;
}

/** One line of `GET …/results`; `output` is left out where the child gave nothing. */
export interface ResultLine {
  readonly index: number;
  readonly key: string | null;
  readonly state: ExecutionStateView;
  readonly output?: unknown;
  readonly error?: ErrorView;
}
