/**
 * The plan of a pipeline version: its nodes in definition order with everything that scheduling needs computed once.
 * A plan is a pure function of the definition, so a process that has the definition's text has the plan.
 */
import type { Template } from '../expression/template.js';
import type { Condition } from '../expression/condition.js';
import type { RetryPolicy } from '../retry/retry-policy.js';
import type { RolloutStage } from '../fan-out/rollout.js';

export const nodeTypes = [
  'HTTP',
  'SHELL',
  'SCRIPT',
  'HANDLER',
  'TRANSFORM',
  'SPAWNER',
  'MERGE',
  'WAIT',
  'SIGNAL',
  'PIPELINE',
] as const;
export type NodeType = (typeof nodeTypes)[number];

/** True for the types that an executor performs; the others are run by the orchestrator and never hold a slot. */
export function isPerformed(type: NodeType): boolean {
  return type === 'HTTP' || type === 'SHELL' || type === 'SCRIPT' || type === 'HANDLER';
}

/** True for the types whose work is child executions. */
export function isSpawning(type: NodeType): boolean {
  return type === 'SPAWNER' || type === 'PIPELINE';
}

export type JoinRule = 'ALL_SUCCEEDED' | 'ALL_DONE' | 'ANY_SUCCEEDED';

export interface PlannedEdge {
  /** Position in the definition's `edges`. */
  readonly index: number;
  /** Positions in `Plan.nodes`. */
  readonly from: number;
  readonly to: number;
  readonly condition: Condition | null;
  /** Target field → template, as one template over an object; null without a mapping. */
  readonly mapping: Template | null;
  readonly timeoutMs: number | null;
}

export interface PlannedNode {
  /** Position in the definition's `nodes`: the task's `node` column. 0..32766 */
  readonly index: number;
  readonly id: string;
  readonly type: NodeType;
  readonly config: NodeConfig;
  readonly retry: RetryPolicy;
  readonly errors: readonly ErrorRule[];
  /** Per attempt, in milliseconds; null where none applies (SPAWNER, MERGE, WAIT, TRANSFORM). */
  readonly timeoutMs: number | null;
  readonly maxConcurrency: number | null;
  readonly queue: string;
  /** In bytes; null: the default of the place it runs in (256 KiB in a child, 16 MiB in a top-level execution). */
  readonly maxOutput: number | null;
  readonly join: JoinRule;
  readonly destinations: readonly { readonly name: string; readonly cost: Template | null }[];
  /** No task of it starts while there is pressure: a spawner behind it has said so. */
  readonly yields: boolean;
  readonly incoming: readonly PlannedEdge[];
  readonly outgoing: readonly PlannedEdge[];
  /** Positions of the nodes that its own templates refer to. */
  readonly reads: readonly number[];
  readonly rank: number;
  readonly inDegree: number;
  /** Longest weighted path (in nodes) from here to an end; larger goes first. */
  readonly criticalPath: number;
}

export interface Plan {
  readonly name: string;
  readonly nodes: readonly PlannedNode[];
  readonly edges: readonly PlannedEdge[];
  /** Positions of nodes without incoming edges. */
  readonly roots: readonly number[];
  /** Positions of nodes without outgoing edges: their outputs are the execution's output. */
  readonly ends: readonly number[];
  readonly maxConcurrency: number | null;
  readonly timeoutMs: number | null;
  readonly retention: { readonly succeededMs: number | null; readonly failedMs: number | null };
  /** JSON Schema text of `inputSchema`, null without. */
  readonly inputSchema: string | null;
  /** Where outcomes are told; empty in the plan of an inline node. */
  readonly notify: readonly NotifyHook[];
}

/** What can be told: the three terminal states, and that a fan-out was deferred as a whole. */
export const noticeOutcomes = ['SUCCEEDED', 'FAILED', 'CANCELLED', 'DEFERRED'] as const;
export type NoticeOutcome = (typeof noticeOutcomes)[number];

/** One entry of `notify`. */
export interface NotifyHook {
  /** Position in the definition's `notify`. */
  readonly index: number;
  readonly on: readonly NoticeOutcome[];
  /** The call that is made; its body is the notice. */
  readonly config: HttpConfig;
}

export interface ErrorRule {
  readonly status?: number;
  readonly code?: string;
  /** Substring of the error's message. */
  readonly match?: string;
  readonly treatAs: 'PERMANENT' | 'TRANSIENT' | 'SUCCEEDED';
}

export type NodeConfig =
  | HttpConfig
  | ShellConfig
  | ScriptConfig
  | HandlerConfig
  | TransformConfig
  | SpawnerConfig
  | MergeConfig
  | WaitConfig
  | SignalConfig
  | PipelineNodeConfig;

export interface HttpConfig {
  readonly type: 'HTTP';
  readonly method: string;
  readonly url: Template;
  /** `host[:port]` of the URL where no template decides it, lower case; null where one does. */
  readonly host: string | null;
  readonly headers: Template;
  /** null: no body */
  readonly body: Template | null;
  /** Inclusive status ranges that succeed. */
  readonly expect: readonly (readonly [number, number])[];
  readonly redirects: number;
}
export interface ShellConfig {
  readonly type: 'SHELL';
  readonly command: readonly Template[];
  readonly env: Template;
  readonly stdin: Template | null;
  readonly permanentExitCodes: readonly (readonly [number, number])[];
}
export interface ScriptConfig {
  readonly type: 'SCRIPT';
  readonly language: 'python' | 'node';
  readonly source: string;
  readonly env: Template;
  readonly permanentExitCodes: readonly (readonly [number, number])[];
}
export interface HandlerConfig {
  readonly type: 'HANDLER';
  readonly handler: string;
  /** null: the execution's input */
  readonly input: Template | null;
}
export interface TransformConfig {
  readonly type: 'TRANSFORM';
  readonly output: Template;
}
export interface SpawnerConfig {
  readonly type: 'SPAWNER';
  readonly items: ItemSource;
  readonly child: ChildPlan;
  readonly input: Template | null;
  readonly itemKey: Template | null;
  readonly batch: { readonly maxItems: number; readonly maxBytes: number } | null;
  readonly maxConcurrency: number | null;
  readonly priority: number | null;
  /** What is looked up for the items before their children are there; null: nothing. */
  readonly freeze: FreezeConfig | null;
  /** Stages in which the children are released; null: all at once. The last stage is everything. */
  readonly rollout: readonly RolloutStage[] | null;
  /** Id of the upstream node that pauses under pressure in place of the fan-out; null: the fan-out is deferred. */
  readonly pausesUnderPressure: string | null;
}
/** A look-up for a batch of items: its answer has an element for each, which stays with the item's child. */
export interface FreezeConfig {
  /** A plan of the one node, HTTP or HANDLER, that performs it. */
  readonly plan: Plan;
  /** Items of one look-up, at most. */
  readonly batch: number;
}
export type ItemSource =
  | { readonly kind: 'list'; readonly list: Template }
  | { readonly kind: 'dataset'; readonly dataset: Template }
  | {
      readonly kind: 'results';
      readonly of: string;
      readonly states: readonly ('SUCCEEDED' | 'FAILED' | 'CANCELLED')[];
    };
/** `pipeline`: another definition, by name. `inline`: a one-node plan whose node's id is the spawner's id. */
export type ChildPlan =
  | { readonly kind: 'pipeline'; readonly name: string; readonly version: number | null }
  | { readonly kind: 'inline'; readonly plan: Plan };
export type ChildFailureKind = 'FAILED' | 'CANCELLED';
export interface MergeConfig {
  readonly type: 'MERGE';
  /** Position of the spawner it merges. */
  readonly of: number;
  readonly tolerance: FailureTolerance;
  readonly failFast: boolean;
  readonly remaining: 'CANCEL' | 'RUN';
  readonly results: 'NONE' | 'INLINE';
}
/**
 * `kinds` empty: nothing is tolerated. With kinds and neither limit: any number. With both limits: either one exceeded
 * fails. `maxFailureRatio` is kept as the decimal text it was written as, so that arithmetic is exact.
 */
export interface FailureTolerance {
  readonly kinds: readonly ChildFailureKind[];
  readonly maxFailureRatio: string | null;
  readonly maxFailureCount: number | null;
}
export interface WaitConfig {
  readonly type: 'WAIT';
  readonly duration: Template | null;
  readonly until: Template | null;
}
export interface SignalConfig {
  readonly type: 'SIGNAL';
  readonly name: Template;
}
export interface PipelineNodeConfig {
  readonly type: 'PIPELINE';
  readonly child: ChildPlan;
  readonly input: Template | null;
}
