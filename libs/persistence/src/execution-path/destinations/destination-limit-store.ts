import { adapt, breakerOpensForMs, freshAdaptiveState, mostAdaptiveLimit, type AdaptiveState } from '@app/domain';
import type { Tx } from '../../database/database.js';
import { adaptDestinations } from './adapt-destinations.sql.js';
import { chargeColumns, type Charge } from './charge.js';
import { chargeDestinations } from './charge-destinations.sql.js';
import { countHolders } from './count-holders.sql.js';
import { holdDestinations } from './hold-destinations.sql.js';
import { inForce, type DestinationInForce, type LockedDestinationRow } from './in-force.js';
import { lockAdaptive } from './lock-adaptive.sql.js';
import { lockForCall } from './lock-destinations-for-call.sql.js';
import { openBreakers } from './open-breakers.sql.js';
import { releaseDestinations } from './release-destinations.sql.js';
import { limitedDestinations } from './limited-destinations.sql.js';
import { slowDestinations } from './slow-destinations.sql.js';
import { speedUpDestinations } from './speed-up-destinations.sql.js';

/** Under which names the destinations of a call may be known. */
export interface CalledDestinations {
  /** That of the implicit one to make where none of the others is registered; null: none is made. */
  readonly name: string | null;
  readonly hosts: readonly string[];
  /** What the node lists. */
  readonly listed: readonly string[];
}

/** A destination that is to be called later. */
export interface Slowing extends CalledDestinations {
  /** Whole milliseconds. */
  readonly waitMs: number;
  /** It named the time itself. */
  readonly itself: boolean;
}

/** A destination in such trouble that it is better left alone. */
export interface Opening extends CalledDestinations {
  /** Milliseconds since the failing call began. */
  readonly ageMs: number;
}

export interface LimitedDestination {
  readonly id: number;
  readonly name: string;
  readonly host: string | null;
  readonly ramping: boolean;
  readonly adaptive: boolean;
  /** Its breaker is not closed. */
  readonly open: boolean;
}

/** How calls to a destination that finds its limit by itself have ended. */
export interface CallReport {
  readonly destination: number;
  readonly successes: number;
  readonly meanMs: number | null;
  /** How long ago calls began that were refused for being too many. */
  readonly refusedAgesMs: readonly number[];
}

/** A place at a destination for the call of one claim: wanted, or held. */
export interface DestinationPlace {
  readonly destination: number;
  /** The claim batch. */
  readonly batch: number;
  readonly executionId: string;
  readonly node: number;
  readonly fencingToken: number;
}

/** Moves of destinations: slowed by their own word, sped up by their answers, held and released by calls. */
export class DestinationLimitStore {
  async slow(db: Tx, slowings: readonly Slowing[]): Promise<void> {
    await db.query(slowDestinations, [...asked(slowings, (s) => s.waitMs), slowings.map((s) => s.itself)]);
  }

  async open(db: Tx, openings: readonly Opening[]): Promise<void> {
    await db.query(openBreakers, [
      ...asked(openings, (o) => Math.ceil(o.ageMs)),
      breakerOpensForMs.first,
      breakerOpensForMs.most,
    ]);
  }

  /** What calls tell about how many a destination bears. */
  async learn(tx: Tx, reports: readonly CallReport[]): Promise<void> {
    const ids = reports.map((r) => r.destination);
    const { rows } = await tx.query<{ id: number; most: number | null; state: string | null }>(lockAdaptive, [ids]);
    if (rows.length === 0) return;
    const counted = await tx.query<{ id: number; held: number; now: number }>(countHolders, [rows.map((r) => r.id)]);
    const found = new Map(counted.rows.map((r) => [r.id, r]));
    const states = rows.map(({ id, most, state }) => {
      const { held, now } = found.get(id)!;
      const { successes, meanMs, refusedAgesMs } = reports.find((r) => r.destination === id)!;
      const refused = refusedAgesMs.map((age) => now - age);
      return adapt(state === null ? freshAdaptiveState : (JSON.parse(state) as AdaptiveState), {
        now,
        held,
        most: most ?? mostAdaptiveLimit,
        successes,
        meanMs,
        refused,
      });
    });
    await tx.query(adaptDestinations, [
      rows.map((r) => r.id),
      states.map((s) => s.limit),
      states.map((s) => JSON.stringify(s)),
    ]);
  }

  async speedUp(db: Tx, destinations: readonly number[]): Promise<void> {
    await db.query(speedUpDestinations, [destinations, mostAdaptiveLimit]);
  }

  async limited(db: Tx): Promise<LimitedDestination[]> {
    return (await db.query<LimitedDestination & Record<string, unknown>>(limitedDestinations)).rows;
  }

  /** Locks the destinations, then counts who holds them. One that is gone is missing from the answer. */
  async lock(tx: Tx, destinations: readonly number[]): Promise<DestinationInForce[]> {
    return (await tx.query<LockedDestinationRow>(lockForCall, [destinations])).rows.map(inForce);
  }

  /** Counts what was started against rates. The caller holds the rows. */
  async charge(tx: Tx, charges: readonly Charge[]): Promise<void> {
    if (charges.length === 0) return;
    await tx.query(chargeDestinations, chargeColumns(charges));
  }

  /** @returns the places that were taken; a task that is not this executor's any more takes none */
  async hold(tx: Tx, places: readonly DestinationPlace[]): Promise<DestinationPlace[]> {
    const { rows } = await tx.query<DestinationPlace & Record<string, unknown>>(holdDestinations, [
      places.map((p) => p.destination),
      places.map((p) => p.batch),
      places.map((p) => p.executionId),
      places.map((p) => p.node),
      places.map((p) => p.fencingToken),
    ]);
    return rows;
  }

  async release(db: Tx, places: readonly DestinationPlace[]): Promise<void> {
    await db.query(releaseDestinations, [
      places.map((p) => p.destination),
      places.map((p) => p.batch),
      places.map((p) => p.executionId),
    ]);
  }
}

/** The parameters by which a statement finds the destinations of calls. */
function asked<T extends CalledDestinations>(calls: readonly T[], numberOf: (call: T) => number): unknown[] {
  const names = calls.flatMap((call, i) => [
    ...call.hosts.map((text) => ({ position: i + 1, text, isName: false })),
    ...call.listed.map((text) => ({ position: i + 1, text, isName: true })),
  ]);
  return [
    calls.map((c) => c.name),
    calls.map(numberOf),
    names.map((n) => n.position),
    names.map((n) => n.text),
    names.map((n) => n.isName),
  ];
}
