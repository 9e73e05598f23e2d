import type { Outcome, PlannedNode, Scope } from '@app/domain';
import type { VersionedPlan } from '@app/persistence';

/** One claimed task, with everything needed to perform and to record it. */
export interface ClaimedTask {
  readonly executionId: string;
  readonly rootId: string;
  readonly parentId: string | null;
  readonly fanOutId: number | null;
  readonly at: VersionedPlan;
  readonly node: PlannedNode;
  readonly attempt: number;
  readonly fencingToken: number;
  /** Of the executor that claimed it: the claim belongs to it for good. */
  readonly incarnation: number;
  readonly itemKey: string | null;
  readonly scope: Scope;
  /** Claim batch it belongs to. */
  readonly batchId: number;
  /** It holds destinations that are to be let go when its call ends. */
  readonly holds: boolean;
  /** How its call ends moves limits of its destinations. */
  readonly learns: boolean;
  /** Monotonic milliseconds: what its destinations allowed then is not allowed any later. Null: whenever. */
  readonly startBy: number | null;
  /** What it costs at destinations with a rate. */
  readonly units: readonly { readonly destination: number; readonly units: number }[];
  /** It cannot be performed, and why. */
  readonly refusal: Outcome | null;
  readonly suspect: boolean;
  /** What its call is known by outside, where that is not the id of a task. */
  readonly callId?: string;
}

/** The id of a task, sent outward as the idempotency key: stable across attempts, retries and redrives. */
export function taskId(task: Pick<ClaimedTask, 'executionId' | 'node' | 'callId'>): string {
  return task.callId ?? `${task.executionId}.${task.node.id}`;
}
