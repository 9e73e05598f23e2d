import type { Tx } from '../database/database.js';
import { cancelWaiting } from '../control/cancel-waiting.sql.js';
import { deleteDestination } from './delete-destination.sql.js';
import { listDestinations } from './list-destinations.sql.js';
import { pauseDestination } from './pause-destination.sql.js';
import { resumeDestination } from './resume-destination.sql.js';
import { putDestination } from './put-destination.sql.js';

export interface DestinationRow {
  readonly name: string;
  readonly host: string | null;
  /** Made by the engine for a URL that matches none. */
  readonly implicit: boolean;
  readonly maxConcurrency: number | null;
  /** JSON text. */
  readonly rate: string | null;
  /** JSON text of what counts against the rate. */
  readonly rateState: string | null;
  readonly adaptive: boolean;
  /** What it has found by itself so far. */
  readonly adaptiveLimit: number | null;
  readonly ramp: number | null;
  /** Calls at once that are in force now; null: any number. */
  readonly limit: number | null;
  /** How often the breaker opened since it was last closed. */
  readonly breakerOpens: number;
  /** Null: it is not open. */
  readonly breakerUntil: Date | null;
  /** Milliseconds of the database's clock. */
  readonly now: number;
  readonly throttledUntil: Date | null;
  readonly pausedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly inUse: number;
  readonly waiting: number;
}

/** What the outside systems that tasks call allow. */
export class DestinationStore {
  /** True when it is new. */
  async put(
    tx: Tx,
    args: { name: string; host: string | null; maxConcurrency: number | null; rate: string | null; adaptive: boolean },
  ): Promise<boolean> {
    const values = [args.name, args.host, args.maxConcurrency, args.rate, args.adaptive];
    return (await tx.query<{ created: boolean }>(putDestination, values)).rows[0]!.created;
  }

  async page(tx: Tx, args: { after: string | null; limit: number }): Promise<DestinationRow[]> {
    return (await tx.query<DestinationRow>(listDestinations, [args.after, args.limit, null])).rows;
  }

  async find(tx: Tx, args: { name: string }): Promise<DestinationRow | null> {
    return (await tx.query<DestinationRow>(listDestinations, [null, 1, args.name])).rows[0] ?? null;
  }

  /** False: there is none. @param make an implicit one where there is none */
  async pause(tx: Tx, args: { name: string; make: boolean }): Promise<boolean> {
    return (await tx.query(pauseDestination, [args.name, args.make])).rowCount === 1;
  }

  async resume(tx: Tx, args: { name: string }): Promise<boolean> {
    return (await tx.query(resumeDestination, [args.name])).rowCount === 1;
  }

  /** Asks for a cancel of what now waits for it or calls it. False: there is none. */
  async cancelWaiting(tx: Tx, args: { name: string }): Promise<boolean> {
    return (await tx.query(cancelWaiting, [args.name])).rowCount === 1;
  }

  async remove(tx: Tx, args: { name: string }): Promise<boolean> {
    return (await tx.query(deleteDestination, [args.name])).rowCount === 1;
  }
}
