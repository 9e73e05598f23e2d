/** What a decision about one execution is made from: read at one moment, never changed. */
import type { ExecutionState, TaskState } from '../transition-table.js';
import type { NodeSet } from './node-set.js';
import type { Looks } from './reach.js';
import type { OutcomeKind } from '../task/outcome.js';

/** How an attempt ended as the database knows it: an outcome of the executor, or what the engine found out itself. */
export type RecordedOutcome = OutcomeKind | 'timed_out' | 'lost';

export interface TaskSnapshot {
  readonly node: number;
  readonly state: TaskState;
  /** Pending because it will run again once what comes before it has: not begun, and not open. */
  readonly unbegun?: boolean;
  readonly attempt: number;
  /** Attempts of the present budget that count against the retry policy, this one included. */
  readonly charged: number;
  readonly snoozes: number;
  /** How often in a row the task was lost with its executor. */
  readonly losses: number;
  readonly outcome: RecordedOutcome | null;
  readonly snoozeMs: number | null;
  /** JSON text of a FailureDetail; present when the last attempt did not succeed. */
  readonly error: string | null;
  /** Exact JSON text; loaded only where the plan's expressions may read it. */
  readonly output: string | null;
}

export interface FanOutSnapshot {
  readonly id: number;
  /** Position of its spawner. */
  readonly node: number;
  /** Known once sealed, or before where the source knows its length. */
  readonly total: number | null;
  readonly sealed: boolean;
  readonly closed: boolean;
  readonly verdict: 'open' | 'passed' | 'failed';
  /** JSON text: the merge's output when passed, a FailureDetail when failed. */
  readonly verdictReason: string | null;
}

/** A durable timer that was due and whose time to take effect has come. */
export interface FiredTimer {
  readonly kind: string;
  readonly node: number | null;
}

/** A signal that no node has taken yet. */
export interface KeptSignal {
  readonly id: number;
  readonly name: string;
  /** Exact JSON text. */
  readonly body: string;
}

export interface ExecutionSnapshot {
  readonly id: string;
  readonly seq: number;
  readonly state: ExecutionState;
  /** The database's clock, in milliseconds since 1970. */
  readonly nowMs: number;
  readonly fanOutId: number | null;
  readonly rootId: string;
  readonly parentId: string | null;
  /** Exact JSON text; loaded only where the plan's expressions may read it. */
  readonly input: string | null;
  readonly item: string | null;
  readonly itemIndex: number | null;
  readonly labels: string | null;
  readonly tasks: ReadonlyMap<number, TaskSnapshot>;
  /** The latest generation of each spawner. */
  readonly fanOuts: ReadonlyMap<number, FanOutSnapshot>;
  readonly firedTimers: readonly FiredTimer[];
  /** In the order in which they came. */
  readonly signals: readonly KeptSignal[];
  /** So many nodes that decisions keep account of them, and are made from a part of the tasks. */
  readonly large?: boolean;
  /** What part of the tasks is there; absent: all of them. */
  readonly part?: SnapshotPart;
}

/** A part of the tasks of a large execution, with what is known of the others. */
export interface SnapshotPart {
  /** What the decision is about: nothing else is settled by it of itself. */
  readonly about: ReadonlySet<number>;
  /** Nodes whose tasks are there, if they have any. */
  readonly known: ReadonlySet<number>;
  readonly looks: Looks;
  /** Tasks of the whole execution that have begun and not settled. */
  readonly open: number;
  /** Nodes that can never run. */
  readonly dead: NodeSet;
}

/** Whether its first tasks were laid out. */
export function isLaidOut(snapshot: ExecutionSnapshot): boolean {
  return snapshot.part !== undefined || snapshot.tasks.size > 0;
}
