import { readRate, readRateState, type DestinationLimits } from '@app/domain';
import type { Tx } from '../../database/database.js';
import { countHolders } from './count-holders.sql.js';

/** A destination whose row the caller holds, with everything that decides how many calls may go to it. */
export interface DestinationInForce extends DestinationLimits {
  readonly id: number;
  readonly name: string;
  readonly host: string | null;
  /** How calls end moves its limits. */
  readonly learns: boolean;
}

export interface LockedDestinationRow {
  readonly id: number;
  readonly name: string;
  readonly host: string | null;
  readonly limit: number | null;
  readonly throttledForMs: number | null;
  readonly openForMs: number | null;
  readonly rate: string | null;
  readonly rateState: string | null;
  readonly learns: boolean;
}

/** Counts who holds locked destinations: a statement of its own after the one that locked, so that it sees what others left. */
export async function inForce(tx: Tx, locked: readonly LockedDestinationRow[]): Promise<DestinationInForce[]> {
  if (locked.length === 0) return [];
  const { rows } = await tx.query<{ id: number; held: number; now: number }>(countHolders, [locked.map((d) => d.id)]);
  const counted = new Map(rows.map((r) => [r.id, r]));
  return locked.map((d) => ({
    id: d.id,
    name: d.name,
    host: d.host,
    learns: d.learns,
    limit: d.limit,
    held: counted.get(d.id)!.held,
    throttledForMs: d.throttledForMs ?? 0,
    openForMs: d.openForMs ?? 0,
    rate: readRate(d.rate),
    rateState: readRateState(d.rateState),
    now: counted.get(d.id)!.now,
  }));
}
