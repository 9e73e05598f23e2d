import { chargeRate, fitting, rateWaitMs } from '@app/domain';
import {
  inTransaction,
  type Database,
  type DestinationLimitStore,
  type DestinationPlace,
  type Charge,
  type DestinationInForce,
} from '@app/persistence';
import type { Clock, Logger } from '@app/runtime';
import type { ClaimedTask } from '../running/claimed-task.js';
import { Gathering } from './gathering.js';
import type { LimitedDestinations } from './limited-destinations.js';
import { QueueAtGate, type InLine } from './queue-at-gate.js';
import type { Target } from './target.js';

/** `open`: call, then `leave`. `full`: all its places are taken. `paused`: not until an operator resumes it. `throttled`: not before that time. `unknown`: the limits could not be asked for. */
export type Entry =
  | { readonly kind: 'open'; readonly leave: () => void }
  | { readonly kind: 'full'; readonly places: number }
  | { readonly kind: 'paused' }
  | { readonly kind: 'throttled'; readonly waitMs: number }
  | { readonly kind: 'unknown' };

interface Request extends InLine {
  readonly task: ClaimedTask;
  answer(entry: Entry): void;
}

const open: Entry = { kind: 'open', leave: () => undefined };

/**
 * Places at destinations that were not known when the task was claimed, because a template decides the host.
 *
 * Promises. No call goes to a limited host without a row in `destination_holder` (I9). The destination rows are locked in id
 * order in one statement and counted in the next, so two executors cannot both see the last place. All requests that arrive
 * meanwhile are one transaction.
 *
 * Dying between any two lines: before the commit no place is taken; after it the place is the incarnation's, and is cleared with
 * its loss. A release that cannot be written is tried again with the next.
 */
export class DestinationGate {
  private readonly requests: Gathering<Request>;
  private readonly releases: Gathering<DestinationPlace>;
  private readonly queue: QueueAtGate<Request>;

  constructor(
    private readonly database: Database,
    private readonly store: DestinationLimitStore,
    private readonly limited: LimitedDestinations,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    this.requests = new Gathering(2, clock, (batch) => this.decide(batch));
    this.releases = new Gathering(2, clock, (batch) => this.release(batch));
    this.queue = new QueueAtGate(clock, (calls) => this.requests.add(...calls));
  }

  async enter(task: ClaimedTask, target: Target, signal: AbortSignal): Promise<Entry> {
    const limits = await this.limited.limiting({ ...target, names: target.implicit === null ? [] : [target.implicit] });
    if (limits.length === 0) return open;
    const destinations = limits.map((d) => d.id);
    const since = this.clock.monotonic();
    return new Promise((answer) => this.requests.add({ task, destinations, signal, since, answer }));
  }

  private async decide(batch: readonly Request[]): Promise<void> {
    try {
      const entries = await inTransaction(this.database.pool, async (tx) => {
        const all = [...new Set(batch.flatMap((r) => r.destinations))];
        const rooms = new Map<number, Room>((await this.store.lock(tx, all)).map((room) => [room.id, { ...room }]));
        const refusals = batch.map((request) => takePlaces(request, rooms));
        const wanted = batch.flatMap((request, i) => (refusals[i] === null ? placesOf(request, rooms) : []));
        const held = wanted.length === 0 ? [] : await this.store.hold(tx, wanted);
        await this.store.charge(tx, chargesOf(rooms));
        return batch.map((request, i) => refusals[i] ?? this.entryOf(request, wanted, held));
      });
      batch.forEach((request, i) => {
        const entry = entries[i]!;
        if (entry.kind !== 'full' || !this.queue.join(request, entry.places)) request.answer(entry);
      });
    } catch (error) {
      this.logger.warn({ err: error, calls: batch.length }, 'places at destinations could not be taken');
      for (const request of batch) request.answer({ kind: 'unknown' });
    }
  }

  private entryOf({ task }: Request, wanted: readonly DestinationPlace[], held: readonly DestinationPlace[]): Entry {
    const isOfClaim = (place: DestinationPlace) =>
      place.executionId === task.executionId &&
      place.node === task.node.index &&
      place.fencingToken === task.fencingToken;
    const places = held.filter(isOfClaim);
    // A task that is somebody else's by now got no place, and makes no call.
    if (places.length < wanted.filter(isOfClaim).length) return { kind: 'full', places: 0 };
    return { kind: 'open', leave: () => this.releases.add(...places) };
  }

  private async release(batch: readonly DestinationPlace[]): Promise<void> {
    try {
      await this.store.release(this.database.any, batch);
      this.queue.ring();
    } catch (error) {
      this.logger.warn({ err: error, places: batch.length }, 'places at destinations could not be let go yet');
      setTimeout(() => this.releases.add(...batch), 500);
    }
  }
}

/** Takes one place, and a unit of the rate, at each of its destinations, or none: null when taken. */
function takePlaces({ destinations }: Request, rooms: ReadonlyMap<number, Room>): Entry | null {
  const wanted = destinations.flatMap((id) => rooms.get(id) ?? []);
  const { by } = fitting(wanted, 1, () => 1);
  if (wanted.some(({ limit }) => limit === 0)) return { kind: 'paused' };
  if (by !== null && by.cause !== 'concurrency') return { kind: 'throttled', waitMs: by.waitMs ?? 0 };
  if (by !== null) return { kind: 'full', places: Math.min(...wanted.map((room) => room.limit ?? Infinity)) };
  for (const room of wanted) {
    room.held++;
    if (room.rate === null) continue;
    room.rateState = chargeRate(room.rate, room.rateState, room.now, 1, 1);
    room.isCharged = true;
  }
  return null;
}

function chargesOf(rooms: ReadonlyMap<number, Room>): Charge[] {
  return [...rooms.values()].flatMap(({ id, rate, rateState, now, isCharged }) =>
    rate !== null && isCharged
      ? [{ destination: id, state: rateState, waitMs: rateWaitMs(rate, rateState, now, rateState.meanCost ?? 1) }]
      : [],
  );
}

function placesOf({ task, destinations }: Request, rooms: ReadonlyMap<number, Room>): DestinationPlace[] {
  return destinations
    .filter((id) => rooms.has(id))
    .map((destination) => ({
      destination,
      batch: task.batchId,
      executionId: task.executionId,
      node: task.node.index,
      fencingToken: task.fencingToken,
    }));
}

type Room = { -readonly [K in keyof DestinationInForce]: DestinationInForce[K] } & { isCharged?: boolean };
