import { readRate, readRateState, type DestinationLimits } from '@app/domain';

/** A destination whose row the caller holds, with everything that decides how many calls may go to it. */
export interface DestinationInForce extends DestinationLimits {
  readonly id: number;
  readonly name: string;
  readonly host: string | null;
  /** How calls end moves its limits. */
  readonly learns: boolean;
  /** How long the database waited for the row. */
  readonly waitedMs: number;
}

/** A row of `destinations_in_force`. */
export interface LockedDestinationRow extends Record<string, unknown> {
  readonly id: number;
  readonly name: string;
  readonly host: string | null;
  readonly limit: number | null;
  readonly throttledForMs: number | null;
  readonly openForMs: number | null;
  readonly rate: string | null;
  readonly rateState: string | null;
  readonly learns: boolean;
  readonly held: number;
  readonly now: number;
  readonly waitedMs: number;
}

export function inForce(row: LockedDestinationRow): DestinationInForce {
  return {
    id: row.id,
    name: row.name,
    host: row.host,
    learns: row.learns,
    limit: row.limit,
    held: row.held,
    throttledForMs: row.throttledForMs ?? 0,
    openForMs: row.openForMs ?? 0,
    rate: readRate(row.rate),
    rateState: readRateState(row.rateState),
    now: row.now,
    waitedMs: row.waitedMs,
  };
}
