import type { HandoutMessage } from '@app/contracts/messages/envelopes.js';
import type { Tx } from '../../database/database.js';
import { handoutMessage } from '../admission/admission-store.js';
import type { ClaimName } from '../recording/record-store.js';
import { dropFinishedBatches } from './drop-finished-batches.sql.js';
import { fenceOutOverdue } from './fence-out-overdue.sql.js';
import { forgetBacklog } from './forget-backlog.sql.js';
import { freeDestinations } from './free-destinations.sql.js';
import { freeLostHolders } from './free-lost-holders.sql.js';
import { markAllLost } from './mark-all-lost.sql.js';
import { markLost } from './mark-lost.sql.js';
import { releaseLost } from './release-lost.sql.js';
import { retryHandouts } from './retry-handouts.sql.js';
import { sampleBacklog } from './sample-backlog.sql.js';
import { staleQueues } from './stale-queues.sql.js';
import { markNamedLost } from './mark-named-lost.sql.js';

export interface Ended {
  readonly batch: number | null;
  readonly ended: number;
  /** The claims that are over. */
  readonly claims: readonly ClaimName[];
}

/** Moves of the sweeps: each finds its work in a narrow table. */
export class RepairStore {
  async staleQueues(db: Tx): Promise<{ queue: string; free: boolean }[]> {
    return (await db.query<{ queue: string; free: boolean }>(staleQueues)).rows;
  }

  async retryHandouts(db: Tx, queue: string, most: number): Promise<HandoutMessage[]> {
    return (await db.query(retryHandouts, [queue, most])).rows.map((r) => handoutMessage(r, r.range as boolean));
  }

  async freeDestinations(db: Tx): Promise<{ id: number; room: number }[]> {
    return (await db.query<{ id: number; room: number }>(freeDestinations)).rows;
  }

  async fenceOutOverdue(db: Tx, graceMs: number, failure: string, most: number): Promise<Ended> {
    return ended((await db.query(fenceOutOverdue, [graceMs, failure, most])).rows[0]!);
  }

  async markLost(db: Tx, most: number): Promise<{ id: number; name: string }[]> {
    return (await db.query<{ id: number; name: string }>(markLost, [most])).rows;
  }

  async markAllLost(db: Tx): Promise<number> {
    return (await db.query(markAllLost)).rowCount ?? 0;
  }

  /** Of one process, known to be dead. */
  async markNamedLost(db: Tx, name: string): Promise<number> {
    return (await db.query(markNamedLost, [name])).rowCount ?? 0;
  }

  async releaseLost(db: Tx, most: number, failure: string): Promise<Ended> {
    return ended((await db.query(releaseLost, [most, failure])).rows[0]!);
  }

  async freeLostHolders(db: Tx): Promise<number> {
    return (await db.query(freeLostHolders)).rowCount ?? 0;
  }

  async dropFinishedBatches(db: Tx, ageMs: number, most: number): Promise<number> {
    return (await db.query(dropFinishedBatches, [ageMs, most])).rowCount ?? 0;
  }

  async sampleBacklog(db: Tx): Promise<void> {
    await db.query(sampleBacklog);
    await db.query(forgetBacklog);
  }
}

function ended(r: Record<string, unknown>): Ended {
  return {
    batch: r.batch_id as number | null,
    ended: r.ended as number,
    claims: (r.claims as ClaimName[] | null) ?? [],
  };
}
