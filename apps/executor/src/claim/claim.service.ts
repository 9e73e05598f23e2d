import type { HandoutMessage } from '@app/contracts/messages/envelopes.js';
import { itemIndexOf, type PlannedNode, type Scope } from '@app/domain';
import {
  inTransaction,
  type ClaimStore,
  type ClaimedRow,
  type Database,
  type PlanSource,
  type Tx,
  type VersionedPlan,
} from '@app/persistence';
import type { ClaimedTask } from '../running/claimed-task.js';

export interface Claim {
  readonly tasks: readonly ClaimedTask[];
  /** What of the hand-out is left ready and wants a message again, because there was no room for it here. */
  readonly rest: HandoutMessage | null;
}

/**
 * Claiming moves tasks from ready to running, for exactly one incarnation.
 *
 * Promises. One transaction for a hand-out: the incarnation must be live, task and execution both move or neither, attempt and
 * fencing token grow (I3). The root's gate is held, so nothing is claimed behind an acknowledged pause or cancel
 * (I10). Destination rows are locked in id order before their holders are counted (I9). A duplicate hand-out claims nothing.
 *
 * Dying between any two lines: before the commit nothing moved and the hand-out is still there; after it the tasks are this
 * incarnation's, and the lost sweep or the reconciliation hands back what is not performed.
 */
export class ClaimService {
  constructor(
    private readonly database: Database,
    private readonly store: ClaimStore,
    private readonly plans: PlanSource,
  ) {}

  /**
   * @param most places there are
   * @throws when the answer did not arrive: then it is unknown what was claimed, and reconciliation must look
   */
  async claim(handout: HandoutMessage, incarnation: number, most: number): Promise<Claim> {
    const at = await this.plans.at(this.database.any, handout.version, handout.path);
    const node = at.plan.nodes[handout.node]!;
    const claimed = await inTransaction(this.database.pool, (tx) => this.take(tx, handout, at, incarnation, most), {
      gate: { roots: [handout.root], mode: 'shared' },
    });
    const upstream = await this.upstream(node, at, claimed.rows);
    return {
      tasks: claimed.rows.map((row) => this.task(row, handout, incarnation, at, node, claimed.holds, upstream)),
      rest: claimed.left !== null && !claimed.waits ? { ...handout, size: claimed.left } : null,
    };
  }

  private async take(
    tx: Tx,
    handout: HandoutMessage,
    at: VersionedPlan,
    incarnation: number,
    most: number,
  ): Promise<Taken> {
    const node = at.plan.nodes[handout.node]!;
    const severalNodes = at.plan.nodes.length > 1;
    const room = await this.destinationRoom(tx, handout.destinations);
    const count = Math.min(most, room.free);
    if (count <= 0) {
      if (room.full !== null) await this.store.waitForDestination(tx, handout.handout, room.full);
      return { ...none, left: room.full === null ? handout.size : null, waits: room.full !== null };
    }
    const rows = await this.store.claim(tx, handout, incarnation, count, node.timeoutMs, room.held, severalNodes);
    if (rows.length === 0 || count >= handout.size)
      return { rows, holds: room.held.length > 0, left: null, waits: false };
    const left = await this.store.shrink(tx, handout.handout, rows.map((r) => r.id).sort());
    const waits = left !== null && room.full !== null && room.free <= most;
    if (waits) await this.store.waitForDestination(tx, handout.handout, room.full!);
    return { rows, holds: room.held.length > 0, left, waits };
  }

  /** All destinations must have room; the fullest decides. */
  private async destinationRoom(
    tx: Tx,
    names: readonly string[],
  ): Promise<{ free: number; full: number | null; held: number[] }> {
    if (names.length === 0) return { free: Infinity, full: null, held: [] };
    const rows = await this.store.lockDestinations(tx, names);
    if (rows.length === 0) return { free: Infinity, full: null, held: [] };
    const holders = await this.store.countHolders(
      tx,
      rows.map((r) => r.id),
    );
    let free = Infinity;
    let full: number | null = null;
    for (const r of rows) {
      const room = r.throttled ? 0 : r.limit === null ? Infinity : Math.max(0, r.limit - (holders.get(r.id) ?? 0));
      if (room < free) {
        free = room;
        full = r.id;
      }
    }
    return { free, full, held: rows.map((r) => r.id) };
  }

  private async upstream(node: PlannedNode, at: VersionedPlan, rows: readonly ClaimedRow[]): Promise<Upstream> {
    if (at.plan.nodes.length === 1 || rows.length === 0) return new Map();
    const nodes = at.plan.nodes.filter((n) => n.rank < node.rank).map((n) => n.index);
    return this.store.upstream(
      this.database.any,
      rows.map((r) => r.id),
      nodes,
    );
  }

  private task(
    row: ClaimedRow,
    handout: HandoutMessage,
    incarnation: number,
    at: VersionedPlan,
    node: PlannedNode,
    holds: boolean,
    upstream: Upstream,
  ): ClaimedTask {
    const child = handout.fanOut !== null;
    const scope: Scope = {
      input: row.input,
      ...(child ? { item: row.item ?? row.input, index: itemIndexOf(row.id) } : {}),
      node: (id) => {
        const found = at.plan.nodes.find((n) => n.id === id);
        if (!found) return undefined;
        const task = upstream.get(row.id)?.get(found.index);
        return { output: task?.output ?? null, state: (task?.state ?? 'pending').toUpperCase() };
      },
      executionId: row.id,
      parentId: handout.parent,
      labels: row.labels ?? '{}',
    };
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
      input: row.input,
      itemKey: row.itemKey,
      scope,
      batchId: row.batchId,
      holds,
      suspect: handout.suspect,
    };
  }
}

type Upstream = ReadonlyMap<string, ReadonlyMap<number, { state: string; output: string | null }>>;

interface Taken {
  readonly rows: readonly ClaimedRow[];
  readonly holds: boolean;
  readonly left: number | null;
  readonly waits: boolean;
}

const none: Taken = { rows: [], holds: false, left: null, waits: false };
