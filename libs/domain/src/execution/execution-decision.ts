/** What a decision about one execution asks for. Committed as sets over many executions, or not at all. */
import type { StoredEventKind } from '../event/stored-event.js';
import type { ExecutionState, TaskState } from '../transition-table.js';
import type { NodeSet } from './node-set.js';
import type { ExecutionSnapshot } from './snapshot.js';

export interface TaskChange {
  readonly node: number;
  /** null: the task is born. */
  readonly from: TaskState | null;
  readonly to: TaskState;
  /** For a task that waits for its next attempt: how long, in milliseconds. */
  readonly availableInMs: number | null;
  /** What `charged` becomes. */
  readonly charged: number;
  readonly snoozes: number;
  readonly losses: number;
  /** null: left as it is. */
  readonly output: string | null;
  readonly error: string | null;
}

export interface EventDraft {
  readonly kind: StoredEventKind;
  readonly node: number | null;
  readonly attempt: number | null;
  /** JSON text. */
  readonly data: string | null;
}

/** A task to be handed to admission. */
export interface Comeback {
  readonly node: number;
  readonly delayMs: number;
  /** The execution itself is still pending, so admission moves it as well. */
  readonly child: boolean;
  /** Lost with its executor twice in a row: runs alone. */
  readonly suspect: boolean;
}

/** A durable timer of one task, at most one of a kind. */
export interface ArmedTimer {
  readonly kind: 'wait' | 'signal' | `edge:${number}`;
  readonly node: number;
  /** Milliseconds since 1970, of the database's clock. */
  readonly dueMs: number;
}

export interface ExecutionDecision {
  readonly snapshot: ExecutionSnapshot;
  readonly to: ExecutionState;
  /** The execution runs its first task, or runs again. */
  readonly starts: boolean;
  readonly tasks: readonly TaskChange[];
  readonly events: readonly EventDraft[];
  readonly comebacks: readonly Comeback[];
  /** Positions of spawners whose fan-out is to be created. */
  readonly spawns: readonly number[];
  /** Set in the same transaction as the tasks that wait for them. */
  readonly timers: readonly ArmedTimer[];
  /** Fan-outs nobody waits for any more: what is open in them is cancelled. */
  readonly abandons: readonly number[];
  /** Signals that nodes took: each is consumed once. */
  readonly signals: readonly number[];
  /** JSON text of the FailureDetail of a failed execution. */
  readonly error: string | null;
  readonly fingerprint: string | null;
  /** What a large execution remembers for the next decision; null: it is not large. */
  readonly standing: Standing | null;
  /** Begun nodes that the next decision goes on with, as this one has done enough. */
  readonly continues: readonly number[];
  /** Where nodes with very many upstream nodes saw one open: node → position among its edges. */
  readonly openFrom: ReadonlyMap<number, number>;
}

/** What saves the next decision about a large execution a look at all of its tasks. */
export interface Standing {
  /** Tasks that have begun and not settled. */
  readonly open: number;
  /** Nodes that can never run. */
  readonly dead: NodeSet;
}

/** What a decision made from a part of the tasks lacks: nodes, or all of them. */
export interface Lacking {
  readonly lacks: readonly number[] | 'all';
}

export function isLacking(decision: ExecutionDecision | Lacking | null): decision is Lacking {
  return decision !== null && 'lacks' in decision;
}

/** A decision that tells facts and moves nothing. */
export function factsOnly(snapshot: ExecutionSnapshot, events: readonly EventDraft[]): ExecutionDecision {
  const { part } = snapshot;
  return {
    snapshot,
    to: snapshot.state,
    starts: false,
    tasks: [],
    events,
    comebacks: [],
    spawns: [],
    timers: [],
    abandons: [],
    signals: [],
    error: null,
    fingerprint: null,
    standing: part ? { open: part.open, dead: part.dead } : null,
    continues: [],
    openFrom: new Map(),
  };
}
