import {
  itemIndexOf,
  NodeSet,
  type ExecutionSnapshot,
  type ExecutionState,
  type FanOutSnapshot,
  type FiredTimer,
  type KeptSignal,
  type Reach,
  type SnapshotPart,
  type TaskSnapshot,
} from '@app/domain';
import type { FanOutFacts } from '../fan-out-facts.js';

export type MutableSnapshot = { -readonly [K in keyof ExecutionSnapshot]: ExecutionSnapshot[K] } & {
  tasks: Map<number, TaskSnapshot>;
  fanOuts: Map<number, FanOutSnapshot>;
  firedTimers: FiredTimer[];
  signals: KeptSignal[];
};

/** A part with more in it. */
export function grown(part: SnapshotPart, about: readonly number[], reach: Reach): SnapshotPart {
  const looks = new Map(part.looks);
  for (const [node, edges] of reach.looks) looks.set(node, new Map([...(looks.get(node) ?? []), ...edges]));
  return {
    ...part,
    about: new Set([...part.about, ...about]),
    known: new Set([...part.known, ...reach.nodes]),
    looks,
  };
}

/** From a row of `load-executions`, without tasks. */
export function emptySnapshot(
  r: Record<string, unknown>,
  fanOut: FanOutFacts | null,
  large: boolean,
): ExecutionSnapshot {
  return {
    ...(large ? { large } : {}),
    ...(r.open_tasks === null ? {} : { part: emptyPart(r) }),
    id: r.id as string,
    seq: r.seq as number,
    state: r.state as ExecutionState,
    nowMs: r.now_ms as number,
    fanOutId: r.fan_out_id as number | null,
    rootId: fanOut ? fanOut.rootId : (r.id as string),
    parentId: fanOut ? fanOut.parentId : null,
    input: null,
    item: null,
    itemIndex: fanOut ? itemIndexOf(r.id as string) : null,
    labels: null,
    tasks: new Map(),
    fanOuts: new Map(),
    firedTimers: [],
    signals: [],
  };
}

function emptyPart(r: Record<string, unknown>): SnapshotPart {
  const dead = r.dead_nodes as Uint8Array | null;
  return {
    about: new Set(),
    known: new Set(),
    looks: new Map(),
    open: r.open_tasks as number,
    dead: dead ? new NodeSet(dead) : NodeSet.none,
  };
}

/** From a row that has a task. */
export function taskSnapshot(r: Record<string, unknown>): TaskSnapshot {
  return {
    node: r.node as number,
    state: r.task_state as TaskSnapshot['state'],
    unbegun: r.unbegun as boolean,
    attempt: r.attempt as number,
    charged: r.charged as number,
    snoozes: r.snoozes as number,
    losses: r.losses as number,
    outcome: r.outcome as TaskSnapshot['outcome'],
    snoozeMs: r.snooze_ms as number | null,
    error: r.error as string | null,
    output: null,
  };
}
