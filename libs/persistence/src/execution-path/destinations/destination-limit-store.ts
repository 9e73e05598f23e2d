import { rateStateText, type RateState } from '@app/domain';
import type { Tx } from '../../database/database.js';
import { chargeDestinations } from './charge-destinations.sql.js';
import { holdDestinations } from './hold-destinations.sql.js';
import { inForce, type DestinationInForce, type LockedDestinationRow } from './in-force.js';
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

/** What was started at a destination with a rate. */
export interface Charge {
  readonly destination: number;
  readonly state: RateState;
  /** Until there is room for one more call; 0 where there is. */
  readonly waitMs: number;
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
  async lock(tx: Tx, destinations: readonly number[]): Promise<DestinationInForce[]> {
    const { rows } = await tx.query<LockedDestinationRow & Record<string, unknown>>(lockForCall, [destinations]);
    return inForce(tx, rows);
  }

  /** Counts what was started against rates. The caller holds the rows. */
  async charge(tx: Tx, charges: readonly Charge[]): Promise<void> {
    if (charges.length === 0) return;
    await tx.query(chargeDestinations, [
      charges.map((c) => c.destination),
      charges.map((c) => rateStateText(c.state)),
      charges.map((c) => c.waitMs),
    ]);
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
