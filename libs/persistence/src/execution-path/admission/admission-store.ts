import type { HandoutMessage } from '@app/contracts/messages/envelopes.js';
import { childId } from '@app/domain';
import type { Tx } from '../../database/database.js';
import { admitAtOnce } from './admit-at-once.sql.js';
import { admitChildren } from './admit-children.sql.js';
import { admitComebacks } from './admit-comebacks.sql.js';
import { destinationRoom } from './destination-room.sql.js';
import { handToIntake } from './hand-to-intake.sql.js';
import { backlogged } from './backlogged.sql.js';
import { beginAnew } from './begin-anew.sql.js';
import { busyQueues } from './busy-queues.sql.js';
import { countAdmitted } from './count-admitted.sql.js';
import { createQueues } from './create-queues.sql.js';
import { finishAdmission } from './finish-admission.sql.js';
import { noteBacklog } from './note-backlog.sql.js';
import { lockQueue } from './lock-queue.sql.js';
import { queueRoom } from './queue-room.sql.js';
import { openGates } from './open-gates.sql.js';
import { openRooms } from './open-rooms.sql.js';
import { peekAdmissible } from './peek-admissible.sql.js';
import { rootLoads } from './root-loads.sql.js';
import { selectAdmissible } from './select-admissible.sql.js';
import { selectComebacks } from './select-comebacks.sql.js';
import { tryGates } from './try-gates.sql.js';

/** In place of a node: the child begins anew, and intake lays it out. */
export const wholeChild = -1;

export interface AdmissibleFanOut {
  readonly fanOut: number;
  readonly cursor: number;
  readonly opened: number;
  readonly root: string;
  readonly priority: number;
  readonly spawned: number;
  readonly sealed: boolean;
  /** Children that its stages have released; null: all. */
  readonly released: number | null;
  readonly maxConcurrency: number | null;
  /** Null: no executor performs the child's first node, so it goes to intake. */
  readonly childNode: number | null;
  readonly destinations: readonly string[];
  readonly closed: number;
  /** More of its tasks waited at the last look than may. */
  readonly backlogged: boolean;
}

/** Where the last look at roots ended: with fan-outs, and with what came back. */
export interface RootCursor {
  readonly spawned: string;
  readonly back: string;
}

const nobody = '00000000-0000-0000-0000-000000000000';
export const fromTheFirst: RootCursor = { spawned: nobody, back: nobody };

export interface WaitingComeback {
  readonly executionId: string;
  readonly node: number;
  readonly root: string;
  readonly parent: string | null;
  readonly fanOut: number | null;
  readonly version: number;
  readonly path: readonly number[];
  readonly priority: number;
  readonly child: boolean;
  readonly suspect: boolean;
  readonly destinations: readonly string[];
  /** It goes although its fan-out is paused, and does not wait for what stands still there. */
  readonly released: boolean;
  /** Nodes of the longest way from here to an end. */
  readonly criticalPath: number;
}

export interface DestinationRoom {
  readonly name: string;
  readonly host: string | null;
  readonly limit: number | null;
  /** It waits, or its breaker is open. */
  readonly throttled: boolean;
  /** JSON text, and what counts against it. */
  readonly rate: string | null;
  readonly rateState: string | null;
  /** Milliseconds of the database's clock. */
  readonly now: number;
  readonly held: number;
  /** Handed out, and of that what nobody has taken for a while. */
  readonly ready: number;
  readonly resting: number;
}

/** A hand-out is checked after 3 s; one that is still there a second after it was sent may be with an executor that stands still. */
const restingFromMs = 2_000;

/** Moves of admission: pending -> ready, in sets. */
export class AdmissionStore {
  async queuesWithWork(db: Tx): Promise<string[]> {
    const { rows } = await db.query<{ queue: string }>(busyQueues);
    return rows.map((r) => r.queue);
  }

  /** Roots with something to admit, at most so many of each kind, from where the last look ended. */
  async roots(db: Tx, queue: string, most: number, after: RootCursor): Promise<{ roots: string[]; next: RootCursor }> {
    const { rows } = await db.query<{ root_id: string; back: boolean }>(peekAdmissible, [
      queue,
      most,
      after.spawned,
      after.back,
    ]);
    const lastOf = (back: boolean): string => {
      const found = rows.filter((r) => r.back === back);
      return found.length >= most ? found.at(-1)!.root_id : fromTheFirst.back;
    };
    return {
      roots: [...new Set(rows.map((r) => r.root_id))],
      next: { spawned: lastOf(false), back: lastOf(true) },
    };
  }

  /** @returns those whose gate could be passed without waiting */
  async openGates(tx: Tx, roots: readonly string[]): Promise<string[]> {
    return (await tx.query<{ id: string }>(openGates, [[...roots].sort()])).rows.map((r) => r.id);
  }

  /** What runs of each root, in fan-outs, those included that have tasks handed out in the queue. */
  async loads(tx: Tx, queue: string, roots: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const { rows } = await tx.query<{ root: string; running: number }>(rootLoads, [roots, queue]);
    return new Map(rows.map((r) => [r.root, r.running]));
  }

  /** True when this caller admits to the queue until its transaction ends. */
  async lock(tx: Tx, queue: string): Promise<boolean> {
    return (await tx.query(lockQueue, [queue])).rowCount === 1;
  }

  async ensureQueues(db: Tx, queues: readonly string[]): Promise<void> {
    await db.query(createQueues, [queues]);
  }

  async room(tx: Tx, queue: string): Promise<{ ready: number; executors: number; slots: number; admitted: number }> {
    const { rows } = await tx.query<{ ready: number; executors: number; slots: number; admitted: number }>(queueRoom, [
      queue,
    ]);
    return rows[0]!;
  }

  /** @param after the last one of the turn before, where there were more than could be looked at; else 0 */
  async fanOuts(
    tx: Tx,
    queue: string,
    roots: readonly string[],
    most: number,
    after: number,
  ): Promise<AdmissibleFanOut[]> {
    const { rows } = await tx.query(selectAdmissible, [queue, roots, most, after]);
    return rows.map((r) => ({
      fanOut: r.fan_out_id as number,
      cursor: r.cursor as number,
      opened: r.opened as number,
      root: r.root_id as string,
      priority: r.priority as number,
      spawned: r.spawned as number,
      sealed: r.sealed as boolean,
      released: r.released as number | null,
      maxConcurrency: r.max_concurrency as number | null,
      childNode: r.child_node as number | null,
      destinations: r.destinations as string[],
      closed: r.closed as number,
      backlogged: r.backlogged as boolean,
    }));
  }

  async comebacks(
    tx: Tx,
    queue: string,
    roots: readonly string[],
    most: number,
    perRoot: number,
  ): Promise<WaitingComeback[]> {
    const { rows } = await tx.query(selectComebacks, [queue, roots, most, perRoot]);
    return rows.map((r) => ({
      executionId: r.execution_id as string,
      node: r.node as number,
      root: r.root_id as string,
      parent: r.parent_id as string | null,
      fanOut: r.fan_out_id as number | null,
      version: r.version_id as number,
      path: r.child_path as number[],
      priority: r.priority as number,
      child: r.child as boolean,
      suspect: r.suspect as boolean,
      destinations: r.destinations as string[],
      released: r.released as boolean,
      criticalPath: r.critical_path as number,
    }));
  }

  /** How many more children of limited fan-outs may be open now. */
  async openRooms(tx: Tx, fanOuts: readonly number[]): Promise<ReadonlyMap<number, number>> {
    if (fanOuts.length === 0) return new Map();
    const { rows } = await tx.query<{ id: number; room: number }>(openRooms, [fanOuts]);
    return new Map(rows.map((r) => [r.id, r.room]));
  }

  /** Fan-outs with more than so many tasks that came back and wait; says so in their rows. */
  async backlogged(tx: Tx, fanOuts: readonly AdmissibleFanOut[], threshold: number): Promise<ReadonlySet<number>> {
    const asked = fanOuts.filter((f) => f.backlogged || f.opened - f.closed > threshold);
    if (asked.length === 0) return new Set();
    const ids = asked.map((f) => f.fanOut);
    const { rows } = await tx.query<{ id: number }>(backlogged, [
      ids,
      asked.map((f) => childId(f.root, f.fanOut, 0)),
      asked.map((f) => childId(f.root, f.fanOut, Math.max(0, f.cursor - 1))),
      threshold,
    ]);
    const found = new Set(rows.map((r) => r.id));
    if (asked.some((f) => f.backlogged !== found.has(f.fanOut))) await tx.query(noteBacklog, [ids, [...found]]);
    return found;
  }

  async destinations(tx: Tx, names: readonly string[]): Promise<DestinationRoom[]> {
    if (names.length === 0) return [];
    return (await tx.query<DestinationRoom & { id: number }>(destinationRoom, [names, restingFromMs])).rows;
  }

  /** Admits `count` children from the cursor on, in hand-outs of at most `perMessage`. */
  async admitChildren(tx: Tx, f: AdmissibleFanOut, count: number, perMessage: number): Promise<HandoutMessage[]> {
    const to = f.cursor + count;
    const firsts: string[] = [];
    const lasts: string[] = [];
    const sizes: number[] = [];
    for (let from = f.cursor; from < to; from += perMessage) {
      const last = Math.min(to, from + perMessage) - 1;
      firsts.push(childId(f.root, f.fanOut, from));
      lasts.push(childId(f.root, f.fanOut, last));
      sizes.push(last - from + 1);
    }
    const { rows } = await tx.query(admitChildren, [
      f.fanOut,
      firsts[0],
      lasts.at(-1),
      f.childNode,
      f.cursor,
      to,
      firsts,
      lasts,
      sizes,
      f.sealed && to === f.spawned,
    ]);
    return rows.map((r) => handoutMessage(r, true));
  }

  /** Admits `count` children that intake lays out. Returns their ids. */
  async handToIntake(tx: Tx, f: AdmissibleFanOut, count: number): Promise<string[]> {
    const to = f.cursor + count;
    const { rows } = await tx.query<{ id: string }>(handToIntake, [
      f.fanOut,
      childId(f.root, f.fanOut, f.cursor),
      childId(f.root, f.fanOut, to - 1),
      f.cursor,
      to,
      f.sealed && to === f.spawned,
    ]);
    return rows.map((r) => r.id);
  }

  /** Admits children that begin anew and that intake lays out. Returns their ids. */
  async beginAnew(tx: Tx, chosen: readonly WaitingComeback[]): Promise<string[]> {
    if (chosen.length === 0) return [];
    const ids = chosen.map((c) => c.executionId).sort();
    return (await tx.query<{ id: string }>(beginAnew, [ids])).rows.map((r) => r.id);
  }

  /** Whether the gates of these roots could be passed, without waiting for anyone. */
  async tryGates(tx: Tx, roots: readonly string[]): Promise<boolean> {
    return (await tx.query<{ open: boolean }>(tryGates, [[...new Set(roots)].sort()])).rows[0]!.open;
  }

  /** Admits tasks just born where the queue is as good as empty. Nothing: they wait for their turn. */
  async admitAtOnce(
    tx: Tx,
    queue: string,
    ids: readonly string[],
    count: number,
    smallestWindow: number,
  ): Promise<HandoutMessage[]> {
    const { rows } = await tx.query(admitAtOnce, [queue, ids, smallestWindow, count]);
    return rows.map((r) => handoutMessage(r, false));
  }

  async finish(tx: Tx, fanOuts: readonly number[]): Promise<void> {
    if (fanOuts.length > 0) await tx.query(finishAdmission, [fanOuts]);
  }

  async countAdmitted(tx: Tx, queue: string, admitted: number): Promise<void> {
    await tx.query(countAdmitted, [queue, admitted]);
  }

  /** Admits tasks that came back, grouped into hand-outs of one kind of task each. */
  async admitComebacks(
    tx: Tx,
    queue: string,
    chosen: readonly WaitingComeback[],
    perMessage: (destinations: readonly string[]) => number,
  ): Promise<HandoutMessage[]> {
    if (chosen.length === 0) return [];
    const sorted = [...chosen].sort((a, b) =>
      a.executionId < b.executionId ? -1 : a.executionId > b.executionId ? 1 : a.node - b.node,
    );
    const groups = new Map<string, WaitingComeback[][]>();
    for (const c of sorted) {
      const key = `${c.root}/${c.parent}/${c.fanOut}/${c.version}/${c.path.join('.')}/${c.node}/${c.suspect}`;
      const batches = groups.get(key) ?? [];
      const last = batches.at(-1);
      if (last && last.length < (c.suspect ? 1 : perMessage(c.destinations))) last.push(c);
      else batches.push([c]);
      groups.set(key, batches);
    }
    const batches = [...groups.values()].flat();
    batches.sort((a, b) => b[0]!.criticalPath - a[0]!.criticalPath);
    const handouts = batches.map((batch) => {
      const c = batch[0]!;
      return {
        queue,
        root_id: c.root,
        parent_id: c.parent,
        fan_out_id: c.fanOut,
        version_id: c.version,
        child_path: c.path,
        node: c.node,
        ids: batch.map((b) => b.executionId),
        size: batch.length,
        suspect: c.suspect,
        destinations: c.destinations,
      };
    });
    const { rows } = await tx.query(admitComebacks, [
      sorted.map((c) => c.executionId),
      sorted.map((c) => c.node),
      JSON.stringify(handouts),
    ]);
    return rows.map((r) => handoutMessage(r, false));
  }
}

/** The message of a hand-out's row. */
export function handoutMessage(r: Record<string, unknown>, range: boolean): HandoutMessage {
  return {
    handout: r.id as number,
    queue: r.queue as string,
    root: r.root_id as string,
    parent: r.parent_id as string | null,
    fanOut: r.fan_out_id as number | null,
    version: r.version_id as number,
    path: r.child_path as number[],
    node: r.node as number,
    size: r.size as number,
    range,
    suspect: (r.suspect as boolean | undefined) ?? false,
    destinations: r.destinations as string[],
  };
}
