import type { Tx } from '../../database/database.js';
import { countHolders } from '../claiming/count-holders.sql.js';
import { holdDestinations } from './hold-destinations.sql.js';
import { lockForCall } from './lock-destinations-for-call.sql.js';
import { releaseDestinations } from './release-destinations.sql.js';
import { limitedDestinations } from './limited-destinations.sql.js';
import { slowDestinations } from './slow-destinations.sql.js';
import { speedUpDestinations } from './speed-up-destinations.sql.js';

/** A destination that asked to be called later. */
export interface Slowing {
  /** Its name, or that of the implicit one to make where no host of these is registered. */
  readonly name: string;
  readonly hosts: readonly string[];
  /** Whole milliseconds. */
  readonly waitMs: number;
}

export interface LimitedDestination {
  readonly id: number;
  readonly name: string;
  readonly host: string | null;
  readonly ramping: boolean;
}

export interface CallRoom {
  readonly id: number;
  /** In force now; null: any number. */
  readonly limit: number | null;
  /** Places left; negative after a limit was lowered. */
  readonly free: number;
  /** Above zero: nothing is called before that many milliseconds have passed. */
  readonly throttledForMs: number;
}

/** A place at a destination for the call of one claim: wanted, or held. */
export interface DestinationPlace {
  readonly destination: number;
  readonly executionId: string;
  readonly node: number;
  readonly fencingToken: number;
}

/** What ends the ramp of a destination without a limit of its own. */
const unlimitedRamp = 1_024;

/** Moves of destinations: slowed by their own word, sped up by their answers, held and released by calls. */
export class DestinationLimitStore {
  async slow(db: Tx, slowings: readonly Slowing[]): Promise<void> {
    const hosts = slowings.flatMap((s, i) => s.hosts.map((host) => ({ host, position: i + 1 })));
    await db.query(slowDestinations, [
      slowings.map((s) => s.name),
      slowings.map((s) => s.waitMs),
      hosts.map((h) => h.position),
      hosts.map((h) => h.host),
    ]);
  }

  async speedUp(db: Tx, destinations: readonly number[]): Promise<void> {
    await db.query(speedUpDestinations, [destinations, unlimitedRamp]);
  }

  async limited(db: Tx): Promise<LimitedDestination[]> {
    return (await db.query<LimitedDestination & Record<string, unknown>>(limitedDestinations)).rows;
  }

  /** Locks the destinations, then counts who holds them. One that is gone is missing from the answer. */
  async lock(tx: Tx, destinations: readonly number[]): Promise<CallRoom[]> {
    const locked = await tx.query<{ id: number; limit: number | null; throttledForMs: number | null }>(lockForCall, [
      destinations,
    ]);
    const { rows } = await tx.query<{ id: number; held: number }>(countHolders, [destinations]);
    const held = new Map(rows.map((r) => [r.id, r.held]));
    return locked.rows.map(({ id, limit, throttledForMs }) => ({
      id,
      limit,
      free: limit === null ? Infinity : limit - (held.get(id) ?? 0),
      throttledForMs: throttledForMs ?? 0,
    }));
  }

  /** @returns the places that were taken; a task that is not this executor's any more takes none */
  async hold(tx: Tx, places: readonly DestinationPlace[]): Promise<DestinationPlace[]> {
    const { rows } = await tx.query<DestinationPlace & Record<string, unknown>>(holdDestinations, [
      places.map((p) => p.destination),
      places.map((p) => p.executionId),
      places.map((p) => p.node),
      places.map((p) => p.fencingToken),
    ]);
    return rows;
  }

  async release(db: Tx, places: readonly DestinationPlace[]): Promise<void> {
    await db.query(releaseDestinations, [
      places.map((p) => p.destination),
      places.map((p) => p.executionId),
      places.map((p) => p.node),
      places.map((p) => p.fencingToken),
    ]);
  }
}
