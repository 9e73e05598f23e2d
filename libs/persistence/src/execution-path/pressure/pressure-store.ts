import type { Pressure, PressureKind } from '@app/domain';
import type { Tx } from '../../database/database.js';
import { addFacts } from '../../control/add-facts.sql.js';
import { deferFanOut } from './defer-fan-out.sql.js';
import { deferredFanOuts } from './deferred-fan-outs.sql.js';
import { liftPressure } from './lift-pressure.sql.js';
import { measureLag } from './measure-lag.sql.js';
import { measurePayload } from './measure-payload.sql.js';
import { measureStorage } from './measure-storage.sql.js';
import { pressureInForce } from './pressure-in-force.sql.js';
import { putPressure } from './put-pressure.sql.js';
import { reportPressure } from './report-pressure.sql.js';

export interface PressureInForce extends Pressure {
  readonly since: Date;
}

export interface DeferredFanOut {
  readonly id: number;
  readonly parentId: string;
}

/** What stands against the beginning of more work, and the fan-outs that wait for its end. */
export class PressureStore {
  async storedBytes(db: Tx): Promise<number> {
    return (await db.query<{ bytes: number }>(measureStorage)).rows[0]!.bytes;
  }

  async payloadBytes(db: Tx): Promise<number> {
    return (await db.query<{ bytes: number }>(measurePayload)).rows[0]!.bytes;
  }

  async lag(db: Tx): Promise<{ settling: number | null; standby: number | null }> {
    return (await db.query<{ settling: number | null; standby: number | null }>(measureLag)).rows[0]!;
  }

  async report(db: Tx, source: string, pressures: readonly Pressure[], forMs: number): Promise<void> {
    await db.query(reportPressure, [source, pressures.map((p) => p.kind), pressures.map((p) => p.detail), forMs]);
  }

  async inForce(db: Tx): Promise<PressureInForce[]> {
    return (await db.query<PressureInForce & Record<string, unknown>>(pressureInForce)).rows;
  }

  async put(db: Tx, detail: string): Promise<PressureInForce> {
    return (await db.query<PressureInForce & Record<string, unknown>>(putPressure, [detail])).rows[0]!;
  }

  /** @returns whether there was something to lift */
  async lift(db: Tx): Promise<boolean> {
    return (await db.query(liftPressure)).rowCount! > 0;
  }

  /** Its parent is locked. @returns whether it waits now */
  async defer(tx: Tx, fanOut: number, { kind, detail }: Pressure, forMs: number): Promise<boolean> {
    const { rows } = await tx.query(deferFanOut, [fanOut, forMs, kind]);
    const row = rows[0];
    if (row && !row.told)
      await tx.query(addFacts, [
        [row.parent_id],
        ['fanout_deferred'],
        [row.node],
        [JSON.stringify({ reason: kind satisfies PressureKind, detail, spawned: row.spawned })],
      ]);
    return row !== undefined;
  }

  async deferred(db: Tx, most: number): Promise<DeferredFanOut[]> {
    const { rows } = await db.query<{ id: number; parent_id: string }>(deferredFanOuts, [most]);
    return rows.map((r) => ({ id: r.id, parentId: r.parent_id }));
  }
}
