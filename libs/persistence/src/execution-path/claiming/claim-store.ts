import type { HandoutMessage } from '@app/contracts/messages/envelopes.js';
import type { Tx } from '../../database/database.js';
import { chargeColumns, type Charge } from '../destinations/charge.js';
import { inForce, type DestinationInForce, type LockedDestinationRow } from '../destinations/in-force.js';
import { claimAtOnce } from './claim-at-once.sql.js';
import { claimListLocked } from './claim-list-locked.sql.js';
import { claimList } from './claim-list.sql.js';
import { claimRangeLocked } from './claim-range-locked.sql.js';
import { claimRange } from './claim-range.sql.js';
import { lockDestinations } from './lock-destinations.sql.js';
import { peekList } from './peek-list.sql.js';
import { peekRange } from './peek-range.sql.js';
import { readUpstream } from './read-upstream.sql.js';
import { shrinkHandout } from './shrink-handout.sql.js';
import { waitForDestination } from './wait-for-destination.sql.js';

export interface ClaimedRow {
  readonly id: string;
  readonly attempt: number;
  readonly fencingToken: number;
  readonly charged: number;
  readonly input: string;
  readonly item: string | null;
  readonly itemKey: string | null;
  readonly labels: string | null;
  readonly batchId: number;
}

/** What a template that says what a task costs may read of it. */
export interface PeekedRow {
  readonly id: string;
  readonly input: string;
  readonly item: string | null;
  readonly itemKey: string | null;
  readonly labels: string | null;
}

/** Moves of a claim: ready -> running. */
export class ClaimStore {
  async claim(
    tx: Tx,
    handout: HandoutMessage,
    incarnation: number,
    most: number,
    timeoutMs: number | null,
    destinations: readonly number[],
    severalNodes: boolean,
    lastId: string | null,
    charges: readonly Charge[],
  ): Promise<ClaimedRow[]> {
    const plain = handout.range ? claimRange : claimList;
    const locked = handout.range ? claimRangeLocked : claimListLocked;
    const statement = severalNodes ? locked : plain;
    const { rows } = await tx.query(statement, [
      handout.handout,
      incarnation,
      Math.min(most, 1_000_000),
      timeoutMs,
      destinations,
      lastId,
      ...chargeColumns(charges),
    ]);
    return rows.map(claimedRow);
  }

  /**
   * A hand-out of one task that holds no destination, in a transaction of its own, gate included.
   * @returns nothing where somebody has its gate alone, or there is nothing left to claim
   */
  async claimAtOnce(
    db: Tx,
    handout: HandoutMessage,
    incarnation: number,
    timeoutMs: number | null,
  ): Promise<ClaimedRow[]> {
    const charged = chargeColumns([]);
    const values = [handout.handout, incarnation, 1, timeoutMs, [], null, ...charged, handout.root];
    return (await db.query(claimAtOnce, values)).rows.map(claimedRow);
  }

  /** @returns how many tasks the hand-out still has; null: it is gone */
  async shrink(tx: Tx, handout: number, claimed: readonly string[]): Promise<number | null> {
    const { rows } = await tx.query<{ size: number }>(shrinkHandout, [handout, claimed]);
    return rows[0]?.size ?? null;
  }

  async waitForDestination(tx: Tx, handout: number, destination: number): Promise<void> {
    await tx.query(waitForDestination, [handout, destination]);
  }

  /** Locks the destinations, then counts who holds them. */
  async lockDestinations(tx: Tx, names: readonly string[]): Promise<DestinationInForce[]> {
    return (await tx.query<LockedDestinationRow>(lockDestinations, [names])).rows.map(inForce);
  }

  /** What a claim of so many tasks would take, in its order. */
  async peek(tx: Tx, handout: HandoutMessage, most: number): Promise<PeekedRow[]> {
    const statement = handout.range ? peekRange : peekList;
    return (await tx.query<PeekedRow & Record<string, unknown>>(statement, [handout.handout, most])).rows;
  }

  async upstream(
    db: Tx,
    ids: readonly string[],
    nodes: readonly number[],
  ): Promise<Map<string, Map<number, { state: string; output: string | null }>>> {
    const found = new Map<string, Map<number, { state: string; output: string | null }>>();
    const { rows } = await db.query(readUpstream, [ids, nodes]);
    for (const r of rows) {
      let tasks = found.get(r.execution_id as string);
      if (!tasks) found.set(r.execution_id as string, (tasks = new Map()));
      tasks.set(r.node as number, { state: r.state as string, output: r.output as string | null });
    }
    return found;
  }
}

const claimedRow = (r: Record<string, unknown>): ClaimedRow => ({
  id: r.id as string,
  attempt: r.attempt as number,
  fencingToken: r.fencing_token as number,
  charged: r.charged as number,
  input: r.input as string,
  item: r.item as string | null,
  itemKey: r.item_key as string | null,
  labels: r.labels as string | null,
  batchId: r.batch_id as number,
});
