import type { HandoutMessage } from '@app/contracts/messages/envelopes.js';
import { itemIndexOf, upstreamReads, usesFrozen, type PlannedNode } from '@app/domain';
import {
  FrozenInputStore,
  inTransaction,
  isUnavailable,
  type ClaimStore,
  type ClaimedRow,
  type Database,
  type PlanSource,
  type TransactionOptions,
  type Tx,
  type VersionedPlan,
} from '@app/persistence';
import type { ClaimedTask } from '../running/claimed-task.js';
import type { ClaimsAhead, Taken } from './claims-ahead.js';
import { unlimited, type ClaimRoom, type ClaimRooms, type Places } from './claim-room.js';
import type { WhoPerforms } from './who-performs.js';
import { scopeOf, type Frozen, type Upstream } from './task-scope.js';

const frozenInput = new FrozenInputStore();

export interface Claim {
  readonly tasks: readonly ClaimedTask[];
  /** What of the hand-out is left ready and wants a message again, because there was no room for it here. */
  readonly rest: HandoutMessage | null;
  /** The destinations have room, and another executor is to take it: here is no slot in which a task would begin at once, or no handler. */
  readonly crowded: boolean;
  /** What is left waits for a destination that has room again after that time. */
  readonly wake: { readonly destination: number; readonly afterMs: number } | null;
}

/**
 * Claiming moves tasks from ready to running, for exactly one incarnation.
 *
 * Promises. One transaction for a hand-out, or several of them: the incarnation must be live, task and execution both move or neither, attempt and
 * fencing token grow (I3). The root's gate is held, so nothing is claimed behind an acknowledged pause or cancel
 * (I10). Destination rows are locked in id order before their holders are counted
 * and their rates looked at, and what is started counts against them in the same transaction (I9). A duplicate hand-out claims nothing.
 *
 * Dying between any two lines: before the commit nothing moved and the hand-out is still there; after it the tasks are this
 * incarnation's, and the lost sweep or the reconciliation hands back what is not performed.
 */
export class ClaimService {
  constructor(
    private readonly database: Database,
    private readonly store: ClaimStore,
    private readonly rooms: ClaimRooms,
    private readonly ahead: ClaimsAhead,
    private readonly plans: PlanSource,
    private readonly whoPerforms: WhoPerforms,
  ) {}

  /** @throws when the answer did not arrive: then it is unknown what was claimed, and reconciliation must look */
  async claim(handout: HandoutMessage, incarnation: number, places: Places): Promise<Claim> {
    const at = await this.plans.at(this.database.any, handout.version, handout.path);
    const node = at.plan.nodes[handout.node]!;
    if (await this.whoPerforms.somebodyElse(node)) return { tasks: [], rest: handout, crowded: true, wake: null };
    const gate: TransactionOptions = { gate: { roots: [handout.root], mode: 'shared' } };
    const taken =
      (await this.takeAtOnce(handout, node, incarnation, places)) ??
      (await this.takeAhead(handout, at, incarnation, places)) ??
      (await inTransaction(this.database.pool, (tx) => this.take(tx, handout, at, incarnation, places), gate));
    const upstream = await this.upstream(node, at, taken.rows);
    const frozen = await this.frozen(node, handout, taken.rows);
    const { room, left } = taken;
    const waits = left !== null && taken.waits;
    return {
      tasks: taken.rows.map((row) => this.task(row, handout, incarnation, at, node, room, upstream, frozen)),
      rest: left !== null && !waits ? { ...handout, size: left } : null,
      crowded: room.crowded,
      wake: waits && room.by?.waitMs ? { destination: room.by.destination, afterMs: room.by.waitMs } : null,
    };
  }

  /** One task that holds no destination, while there is little else to claim: in one round trip. */
  private async takeAtOnce(
    handout: HandoutMessage,
    { timeoutMs }: PlannedNode,
    incarnation: number,
    { quiet }: Places,
  ): Promise<Taken | null> {
    if (!quiet || handout.size !== 1 || handout.range || handout.destinations.length > 0) return null;
    const rows = await this.store.claimAtOnce(this.database.any, handout, incarnation, timeoutMs).catch((error) => {
      // the general way tries again; only an answer that did not come says nothing
      if (isUnavailable(error)) throw error;
      return [];
    });
    return rows.length === 0 ? null : { rows, room: unlimited, left: null, waits: false };
  }

  private async takeAhead(
    handout: HandoutMessage,
    at: VersionedPlan,
    incarnation: number,
    places: Places,
  ): Promise<Taken | null> {
    const expected = at.plan.nodes.length === 1 ? this.rooms.ample(handout, places) : null;
    if (expected === null) return null;
    const count = expected.length === 0 ? places.most : Math.min(places.most, places.prompt);
    return this.ahead.claim({ handout, at, incarnation, count, expected });
  }

  private async take(
    tx: Tx,
    handout: HandoutMessage,
    at: VersionedPlan,
    incarnation: number,
    places: Places,
  ): Promise<Taken> {
    const node = at.plan.nodes[handout.node]!;
    const severalNodes = at.plan.nodes.length > 1;
    const room = await this.rooms.look(tx, handout, at, node, places);
    const { count, by } = room;
    if (count <= 0) {
      if (by !== null) await this.store.waitForDestination(tx, handout.handout, by.destination);
      return { rows: [], room, left: handout.size, waits: by !== null };
    }
    const held = room.destinations.map((d) => d.id);
    const rows = await this.store.claim(
      tx,
      handout,
      incarnation,
      count,
      node.timeoutMs,
      held,
      severalNodes,
      room.lastId,
      this.rooms.chargesOf(room, node),
    );
    if (rows.length > 0 && rows.length < count) await this.rooms.recount(tx, room, node, rows);
    if (rows.length === 0 || count >= handout.size) return { rows, room, left: null, waits: false };
    const left = await this.store.shrink(tx, handout.handout, rows.map((r) => r.id).sort());
    const waits = left !== null && by !== null;
    if (waits) await this.store.waitForDestination(tx, handout.handout, by.destination);
    return { rows, room, left, waits };
  }

  private async upstream(node: PlannedNode, at: VersionedPlan, rows: readonly ClaimedRow[]): Promise<Upstream> {
    const nodes = rows.length === 0 ? [] : upstreamReads(at.plan, node);
    if (nodes.length === 0) return new Map();
    return this.store.upstream(
      this.database.any,
      rows.map((r) => r.id),
      nodes,
    );
  }

  /** What was looked up for the items before they were spawned, where the node wants it. */
  private async frozen(node: PlannedNode, handout: HandoutMessage, rows: readonly ClaimedRow[]): Promise<Frozen> {
    if (handout.fanOut === null || rows.length === 0 || !usesFrozen(node)) return new Map();
    const indexes = rows.map((row) => itemIndexOf(row.id));
    return frozenInput.values(this.database.any, handout.fanOut, indexes);
  }

  private task(
    row: ClaimedRow,
    handout: HandoutMessage,
    incarnation: number,
    at: VersionedPlan,
    node: PlannedNode,
    room: ClaimRoom,
    upstream: Upstream,
    frozen: Frozen,
  ): ClaimedTask {
    const scope = scopeOf(row, handout, at, upstream, frozen);
    return {
      executionId: row.id,
      rootId: handout.root,
      parentId: handout.parent,
      fanOutId: handout.fanOut,
      at,
      node,
      attempt: row.attempt,
      fencingToken: row.fencingToken,
      incarnation,
      itemKey: row.itemKey,
      scope,
      batchId: row.batchId,
      holds: room.destinations.length > 0,
      learns: room.destinations.some((d) => d.learns),
      startBy: room.startBy,
      units: this.rooms.unitsOf(room, node, row.id),
      refusal: room.refusals.get(row.id) ?? null,
      suspect: handout.suspect,
    };
  }
}
