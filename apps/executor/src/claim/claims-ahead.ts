import type { HandoutMessage } from '@app/contracts/messages/envelopes.js';
import {
  inTransaction,
  isUnavailable,
  type ClaimStore,
  type ClaimedRow,
  type Database,
  type VersionedPlan,
} from '@app/persistence';
import type { Clock } from '@app/runtime';
import { Gathering } from '../destinations/gathering.js';
import { noRoom, type ClaimRoom, type ClaimRooms } from './claim-room.js';

/** What a claim of one hand-out took. */
export interface Taken {
  readonly rows: readonly ClaimedRow[];
  readonly room: ClaimRoom;
  /** How many tasks are left of the hand-out; null: it is gone. */
  readonly left: number | null;
  /** What is left waits for a destination. */
  readonly waits: boolean;
}

/** A hand-out whose destinations had ample room a moment ago, or that has none. */
export interface AheadOfLook {
  readonly handout: HandoutMessage;
  readonly at: VersionedPlan;
  readonly incarnation: number;
  /** Most tasks to claim. */
  readonly count: number;
  /** Ids of its destinations. */
  readonly expected: readonly number[];
}

interface Request extends AheadOfLook {
  answer(taken: Taken | null): void;
  fail(error: unknown): void;
}

/** Hand-outs in one transaction, and transactions at once: while one waits for the disk, the next one claims. */
const mostHandouts = 8;
const atOnce = 2;
const mostGroups = 500;

/**
 * Claims of hand-outs that call no limited destination, or whose destinations had ample room a moment ago: tasks first, and the look at
 * the destinations last, so that their rows are held for no longer than that and the commit. All hand-outs for the same destinations
 * that arrive meanwhile are one transaction with one look; so there is one commit, and the rows, at which claims of all executors queue,
 * are held once, for several hundred tasks.
 *
 * Promise (I9): what does not fit after all is rolled back, and taken the other way, one by one. Only for executions that cannot be
 * claimed twice at once, as locks are taken out of their order.
 */
export class ClaimsAhead {
  private readonly groups = new Map<string, Gathering<Request>>();

  constructor(
    private readonly database: Database,
    private readonly store: ClaimStore,
    private readonly rooms: ClaimRooms,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns null: there was no room for it together with the others; it is to be claimed on its own
   * @throws when the answer of the database did not arrive
   */
  claim(wanted: AheadOfLook): Promise<Taken | null> {
    return new Promise((answer, fail) => this.groupOf(wanted).add({ ...wanted, answer, fail }));
  }

  private groupOf({ handout }: AheadOfLook): Gathering<Request> {
    const key = handout.destinations.join(' ');
    let group = this.groups.get(key);
    if (!group) {
      if (this.groups.size >= mostGroups) this.groups.delete(this.groups.keys().next().value!);
      group = new Gathering<Request>(0, this.clock, (batch) => this.flush(batch), { mostItems: mostHandouts, atOnce });
      this.groups.set(key, group);
    }
    return group;
  }

  private async flush(batch: readonly Request[]): Promise<void> {
    const { incarnation, expected } = batch[0]!;
    const alike = batch.filter((r) => r.incarnation === incarnation && same(r.expected, expected));
    for (const request of batch) if (!alike.includes(request)) request.answer(null);
    try {
      const taken = await this.take(alike, incarnation, expected);
      alike.forEach((request, i) => request.answer(taken[i]!));
    } catch (error) {
      // It was rolled back for one of them; each on its own, only that one fails.
      for (const request of alike)
        if (isUnavailable(error)) request.fail(error);
        else request.answer(null);
    }
  }

  private take(batch: readonly Request[], incarnation: number, expected: readonly number[]): Promise<Taken[]> {
    const inOrder = [...batch].sort((a, b) => a.handout.handout - b.handout.handout);
    const roots = batch.map((r) => r.handout.root);
    return inTransaction(
      this.database.pool,
      async (tx) => {
        const taken = new Map<Request, Omit<Taken, 'room'>>();
        for (const request of inOrder) {
          const { handout, at, count } = request;
          const { timeoutMs } = at.plan.nodes[handout.node]!;
          const rows = await this.store.claim(tx, handout, incarnation, count, timeoutMs, expected, false, null, []);
          const left =
            rows.length === 0 || count >= handout.size
              ? null
              : await this.store.shrink(tx, handout.handout, rows.map((r) => r.id).sort());
          taken.set(request, { rows, left, waits: false });
        }
        const claimed = batch.filter((request) => taken.get(request)!.rows.length > 0);
        if (claimed.length === 0) return batch.map((request) => ({ ...taken.get(request)!, room: noRoom }));
        const rooms = await this.rooms.confirm(
          tx,
          claimed.map((request) => ({ ...request, rows: taken.get(request)!.rows })),
          expected,
        );
        if (rooms === null) throw new NoRoom();
        return batch.map((request) => ({
          ...taken.get(request)!,
          room: rooms[claimed.indexOf(request)] ?? noRoom,
        }));
      },
      { gate: { roots, mode: 'shared' } },
    );
  }
}

class NoRoom extends Error {}

function same(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((id, i) => id === b[i]);
}
