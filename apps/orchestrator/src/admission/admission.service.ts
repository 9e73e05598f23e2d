import { lightTaskQueue, taskQueue } from '@app/contracts/messages/queues.js';
import type { HandoutMessage } from '@app/contracts/messages/envelopes.js';
import { smallestWindow, takeTurns } from '@app/domain';
import type { Bus } from '@app/messaging';
import {
  fromTheFirst,
  inTransaction,
  wholeChild,
  type AdmissibleFanOut,
  type AdmissionStore,
  type Database,
  type RootCursor,
  type Tx,
  type WaitingComeback,
} from '@app/persistence';
import { sleep, type Clock, type Logger } from '@app/runtime';
import { destinationBudget, destinationParts } from './destination-budget.js';
import { lightRoots } from './light-roots.js';
import { Newcomers } from './newcomers.js';
import { Window } from './window.js';

const maxRoots = 100;
const maxFanOuts = 500;
const maxPerMessage = 100;
const restMs = 20;
/** Turns that pass over a closed gate before one waits for it. */
const mostPassedOver = 3;
const busyAbove = 200;
/** All queues are asked for at least this often. */
const lookMs = 250;
/** Most tasks one turn admits, so that its transaction stays short. */
const maxPerTurn = 2_000;

/**
 * Admission hands work out: pending -> ready, never more than the window of a queue, in turns between root executions.
 *
 * Promises. Ready tasks of a queue stay within its window (one orchestrator admits to a queue at a time, under the queue's row).
 * What came back is served before new children, and of a fan-out of which too much waits to be served no new ones are started. A fan-out's own limit counts children started and not settled; a limited destination gets
 * at most 1.2 times its limit, so that nobody waits in a slot for it. Nothing whose lineage is paused or cancelled is
 * admitted (I10): the gate of every root is held while it is looked at; one that a command holds alone is passed over this time.
 *
 * Dying between any two lines: before the commit nothing happened; after it the hand-outs are rows, and the stale-ready
 * sweep sends their messages again.
 */
export class AdmissionService {
  private readonly queues = new Map<string, QueuePace>();
  private readonly known = new Set<string>();
  private readonly expected = new Set<string>();
  private lastTurn = 0;
  private lastLook = -lookMs;
  private busy = false;

  constructor(
    private readonly database: Database,
    private readonly store: AdmissionStore,
    private readonly bus: Bus,
    private readonly clock: Clock,
    private readonly bound: number,
    private readonly backlogThreshold: number,
    private readonly logger: Logger,
    private readonly onIntake: (ids: readonly string[]) => void,
    private readonly onAdmitted: (fanOuts: readonly number[]) => void,
  ) {}

  /** One turn over all queues. @returns tasks admitted */
  async runOnce(): Promise<number> {
    // under load every settlement rings: a pause makes fewer and larger turns of it, and costs nothing when idle
    const rested = this.clock.monotonic() - this.lastTurn;
    if (this.busy && rested < restMs) await sleep(restMs - rested);
    const admitted = await this.turnOfAll();
    this.lastTurn = this.clock.monotonic();
    this.busy = admitted > busyAbove;
    return admitted;
  }

  /** Something was just put into these queues: the next turn looks at them alone, without asking which have work. */
  expect(queues: readonly string[]): void {
    for (const queue of queues) this.expected.add(queue);
  }

  /**
   * Admits tasks in the transaction that laid them out, or that settled what came before them, where that is all a turn would do:
   * a lone execution goes on without waiting for one. They are handed out after the commit. Nothing: they wait for their turn.
   * @param count how many there are
   * @param gates `held`: the caller holds the gates of their roots; `free`: it does not, and they are its own executions' ids
   */
  async atOnce(
    tx: Tx,
    queue: string,
    ids: readonly string[],
    count: number,
    gates: 'held' | 'free',
  ): Promise<readonly HandoutMessage[]> {
    if (gates === 'free' && !(await this.store.tryGates(tx, ids))) return [];
    return this.store.admitAtOnce(tx, queue, ids, count, this.smallestWindow);
  }

  get smallestWindow(): number {
    return Math.min(smallestWindow, this.bound);
  }

  /** Tells the executors of a queue, after the commit. */
  async handOut(queue: string, handouts: readonly HandoutMessage[]): Promise<void> {
    if (handouts.length > 0) await this.bus.publish(taskQueue(queue), handouts).catch(() => undefined);
  }

  private async handOutLight(queue: string, handouts: readonly HandoutMessage[]): Promise<void> {
    if (handouts.length > 0) await this.bus.publish(lightTaskQueue(queue), handouts).catch(() => undefined);
  }

  private async turnOfAll(): Promise<number> {
    const now = this.clock.monotonic();
    const some = this.expected.size > 0 && now - this.lastLook < lookMs;
    if (!some) this.lastLook = now;
    const queues = some ? [...this.expected] : await this.store.queuesWithWork(this.database.any);
    this.expected.clear();
    const fresh = queues.filter((q) => !this.known.has(q));
    if (fresh.length > 0) {
      await this.store.ensureQueues(this.database.any, fresh);
      for (const queue of fresh) this.known.add(queue);
    }
    let admitted = 0;
    for (const queue of queues)
      try {
        admitted += await this.admit(queue);
      } catch (error) {
        this.logger.warn({ err: error, queue }, 'a queue could not be admitted to yet');
      }
    return admitted;
  }

  private async admit(queue: string): Promise<number> {
    const pace = this.queue(queue);
    const { roots, next } = await this.store.roots(this.database.any, queue, maxRoots, pace.roots);
    pace.roots = next;
    if (roots.length === 0) return 0;
    const turn =
      (await this.withoutWaiting(queue, roots, pace)) ??
      (await inTransaction(this.database.pool, (tx) => this.turn(tx, queue, roots), {
        gate: { roots, mode: 'shared' },
      }));
    await Promise.all([this.handOut(queue, turn.handouts), this.handOutLight(queue, turn.light)]);
    if (turn.intake.length > 0) this.onIntake(turn.intake);
    if (turn.fanOuts.length > 0) this.onAdmitted(turn.fanOuts);
    return turn.admitted;
  }

  /**
   * A turn of the roots whose gate nobody holds alone. A command over many rows takes the gate again and again, so a root that is passed
   * over has its gate waited for in the end. @returns null: it is time to wait
   */
  private async withoutWaiting(queue: string, roots: readonly string[], pace: QueuePace): Promise<Turn | null> {
    if (pace.passedOver >= mostPassedOver) {
      pace.passedOver = 0;
      return null;
    }
    return inTransaction(this.database.pool, async (tx) => {
      const open = await this.store.openGates(tx, roots);
      pace.passedOver = open.length < roots.length ? pace.passedOver + 1 : 0;
      return open.length === 0 ? null : this.turn(tx, queue, open);
    });
  }

  private async turn(tx: Tx, queue: string, roots: readonly string[]): Promise<Turn> {
    if (!(await this.store.lock(tx, queue))) return nothing;
    const room = await this.store.room(tx, queue);
    const place = this.queue(queue);
    const { newcomers, window: pace } = place;
    const now = this.clock.monotonic();
    const begun = newcomers.look(roots, now);
    if (begun.all) pace.restart();
    const window = queue === '' ? this.bound : pace.size(room.admitted, room.ready, room.slots, now);
    const space = Math.min(maxPerTurn, window - room.ready);
    if (space <= 0) return nothing;
    const comebacks = await this.store.comebacks(
      tx,
      queue,
      roots,
      space,
      Math.max(1, Math.ceil((2 * space) / roots.length)),
    );
    const fanOuts = await this.store.fanOuts(tx, queue, roots, maxFanOuts, place.fanOut);
    place.fanOut = fanOuts.length < maxFanOuts ? 0 : fanOuts.at(-1)!.fanOut;
    const alone = roots.length === 1 && room.ready === 0;
    const loads = alone ? new Map<string, number>() : await this.store.loads(tx, queue, roots);
    const backlogged = await this.store.backlogged(tx, fanOuts, this.backlogThreshold);
    const most = (f: AdmissibleFanOut): number => {
      if (backlogged.has(f.fanOut)) return 0;
      if (queue === '' || !begun.young.has(f.root)) return Infinity;
      return Math.max(smallestWindow, 2 * room.slots) - (f.opened - f.closed);
    };
    const open = await this.store.openRooms(tx, childFanOuts(comebacks));
    const names = new Set([...comebacks, ...fanOuts].flatMap((c) => c.destinations));
    const rooms = await this.store.destinations(tx, [...names]);
    const budget = destinationBudget(rooms);
    const parts = destinationParts(rooms);
    const fair = Math.min(maxPerMessage, Math.max(1, Math.ceil(window / (4 * Math.max(1, room.executors)))));
    const perMessage = (destinations: readonly string[]): number =>
      destinations.reduce((least, name) => Math.min(least, parts.get(name) ?? Infinity), fair);
    const turn = await this.share(
      tx,
      queue,
      space,
      withinRooms(comebacks, open),
      fanOuts,
      open,
      most,
      budget,
      loads,
      perMessage,
    );
    const running = [...loads].map(([root, size]) => ({ root, size }));
    const light = lightRoots([...running, ...turn.handouts], room.slots);
    return {
      ...turn,
      handouts: turn.handouts.filter((h) => !light.has(h.root)),
      light: turn.handouts.filter((h) => light.has(h.root)),
    };
  }

  private async share(
    tx: Tx,
    queue: string,
    space: number,
    comebacks: readonly WaitingComeback[],
    fanOuts: readonly AdmissibleFanOut[],
    open: ReadonlyMap<number, number>,
    most: (fanOut: AdmissibleFanOut) => number,
    budget: ReadonlyMap<string, number>,
    loads: ReadonlyMap<string, number>,
    perMessage: (destinations: readonly string[]) => number,
  ): Promise<Turn> {
    const returned = alike(comebacks);
    const candidates = [
      ...[...returned].map(([key, list]) => ({
        key,
        root: list[0]!.root,
        priority: list[0]!.priority,
        weight: 1 + list[0]!.priority,
        running: 0,
        available: list.length,
        limits: list[0]!.destinations,
      })),
      ...fanOuts.map((f) => ({
        key: `new:${f.fanOut}`,
        root: f.root,
        priority: f.priority,
        weight: 1 + f.priority,
        running: Math.max(0, f.opened - f.closed),
        available: Math.min(openRoom(f), open.get(f.fanOut) ?? Infinity, most(f)),
        limits: f.destinations,
      })),
    ].filter((c) => c.available > 0);
    const turns = takeTurns(candidates, space, budget, loads);
    const back = [...returned].flatMap(([key, list]) => list.slice(0, turns.get(key) ?? 0));
    const anew = back.filter((c) => c.node === wholeChild);
    const again = anew.length === 0 ? back : back.filter((c) => c.node !== wholeChild);
    const handouts = await this.store.admitComebacks(tx, queue, again, perMessage);
    const intake = await this.store.beginAnew(tx, anew);
    let admitted = back.length;
    const moved: number[] = [];
    for (const f of fanOuts) {
      const count = turns.get(`new:${f.fanOut}`) ?? 0;
      if (count === 0) continue;
      if (f.childNode === null) intake.push(...(await this.store.handToIntake(tx, f, count)));
      else handouts.push(...(await this.store.admitChildren(tx, f, count, perMessage(f.destinations))));
      admitted += count;
      moved.push(f.fanOut);
    }
    await this.store.finish(
      tx,
      fanOuts.filter((f) => f.sealed && f.cursor === f.spawned).map((f) => f.fanOut),
    );
    if (admitted > 0) await this.store.countAdmitted(tx, queue, admitted);
    return { handouts, light: [], intake, admitted, fanOuts: moved };
  }

  private queue(name: string): QueuePace {
    let pace = this.queues.get(name);
    if (!pace)
      this.queues.set(
        name,
        (pace = {
          window: new Window(this.bound),
          newcomers: new Newcomers(),
          roots: fromTheFirst,
          fanOut: 0,
          passedOver: 0,
        }),
      );
    return pace;
  }
}

interface QueuePace {
  readonly window: Window;
  readonly newcomers: Newcomers;
  /** Where the last look ended, where there were more than one look takes. */
  roots: RootCursor;
  fanOut: number;
  /** Turns in a row in which a gate was closed. */
  passedOver: number;
}

interface Turn {
  readonly handouts: readonly HandoutMessage[];
  /** Of roots that run little. */
  readonly light: readonly HandoutMessage[];
  readonly intake: readonly string[];
  readonly admitted: number;
  readonly fanOuts: readonly number[];
}

const nothing: Turn = { handouts: [], light: [], intake: [], admitted: 0, fanOuts: [] };

/** What came back, by root and destinations: what is alike takes its turns together. */
function alike(comebacks: readonly WaitingComeback[]): Map<string, WaitingComeback[]> {
  const groups = new Map<string, WaitingComeback[]>();
  for (const c of comebacks) {
    const key = `back:${c.root} ${c.destinations.join(' ')}`;
    const group = groups.get(key);
    if (group) group.push(c);
    else groups.set(key, [c]);
  }
  return groups;
}

/** Children of a fan-out that may be opened now: what is spawned and released, within what may be open at once. */
function openRoom(f: AdmissibleFanOut): number {
  const waiting = Math.max(0, Math.min(f.spawned, f.released ?? Infinity) - f.cursor);
  if (f.maxConcurrency === null) return waiting;
  return Math.min(waiting, Math.max(0, f.maxConcurrency - (f.opened - f.closed)));
}

/** Fan-outs whose children come back pending: they are opened again, and count against what may be open at once. */
function childFanOuts(comebacks: readonly WaitingComeback[]): number[] {
  return [...new Set(comebacks.flatMap((c) => (c.child && c.fanOut !== null ? [c.fanOut] : [])))];
}

/** What came back is served before new children, within the limit of its fan-out; `rooms` keeps what it leaves. */
function withinRooms(comebacks: readonly WaitingComeback[], rooms: ReadonlyMap<number, number>): WaitingComeback[] {
  const left = rooms as Map<number, number>;
  return comebacks.filter((c) => {
    const room = c.child && c.fanOut !== null ? left.get(c.fanOut) : undefined;
    if (room === undefined || c.released) return true;
    if (room <= 0) return false;
    left.set(c.fanOut!, room - 1);
    return true;
  });
}
