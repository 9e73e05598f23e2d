import type { MissedPolicy } from '@app/domain';
import type { Tx } from '../database/database.js';
import { databaseTime } from './database-time.sql.js';
import { deleteSchedule } from './delete-schedule.sql.js';
import { findStartable } from './find-startable.sql.js';
import { holdSchedule } from './hold-schedule.sql.js';
import { holdStartable } from './hold-startable.sql.js';
import { insertSchedule } from './insert-schedule.sql.js';
import { keepOccurrences } from './keep-occurrences.sql.js';
import { listSchedules } from './list-schedules.sql.js';
import { moveRuns } from './move-runs.sql.js';
import { runsOfSchedule } from './runs-of-schedule.sql.js';
import type { ScheduleRow, ScheduleTerms } from './schedule-columns.js';
import { takeDueSchedules } from './take-due-schedules.sql.js';
import { updateSchedule } from './update-schedule.sql.js';

export interface DueSchedule {
  readonly id: number;
  readonly name: string;
  readonly cron: string;
  readonly timeZone: string;
  readonly missed: MissedPolicy;
  readonly missedLimit: number;
  readonly nextAt: Date;
  /** By the database's clock. */
  readonly now: Date;
  readonly waiting: number;
}

/** What the occurrences of a due schedule come to. */
export interface KeptOccurrences {
  readonly id: number;
  readonly nextAt: Date | null;
  readonly run: readonly Date[];
  readonly skipped: number;
}

/** An occurrence that waits (no execution), or was started. */
export interface ScheduleRun {
  readonly dueAt: Date;
  readonly executionId: string | null;
  /** Null where the execution is gone. */
  readonly open: boolean | null;
}

export interface MovedRuns {
  /** Occurrences that go: skipped, refused, or settled. */
  readonly gone: readonly Date[];
  readonly skipped: number;
  readonly started: { readonly dueAt: Date; readonly executionId: string } | null;
  /** JSON text. */
  readonly error: string | null;
}

/** Schedules and their occurrences. */
export class ScheduleStore {
  async now(db: Tx): Promise<Date> {
    return (await db.query<{ now: Date }>(databaseTime)).rows[0]!.now;
  }

  /** False when there is one of that name. */
  async insert(tx: Tx, name: string, terms: ScheduleTerms, nextAt: Date | null): Promise<boolean> {
    return (await tx.query(insertSchedule, valuesOf(name, terms, nextAt))).rowCount === 1;
  }

  /** @param nextAt undefined: it stays */
  async update(tx: Tx, name: string, terms: ScheduleTerms, nextAt: Date | null | undefined): Promise<void> {
    await tx.query(updateSchedule, [...valuesOf(name, terms, nextAt ?? null), nextAt !== undefined]);
  }

  async page(db: Tx, args: { after: string | null; limit: number }): Promise<ScheduleRow[]> {
    return (await db.query(listSchedules, [args.after, args.limit, null])).rows as unknown as ScheduleRow[];
  }

  async find(db: Tx, name: string): Promise<ScheduleRow | null> {
    return ((await db.query(listSchedules, [null, 1, name])).rows[0] as unknown as ScheduleRow) ?? null;
  }

  async hold(tx: Tx, name: string): Promise<ScheduleRow | null> {
    return ((await tx.query(holdSchedule, [name])).rows[0] as unknown as ScheduleRow) ?? null;
  }

  async remove(tx: Tx, name: string): Promise<boolean> {
    return (await tx.query(deleteSchedule, [name])).rowCount === 1;
  }

  /** Those with an occurrence that is due, held to the end of the transaction. */
  async takeDue(tx: Tx, most: number): Promise<DueSchedule[]> {
    return (await tx.query(takeDueSchedules, [most])).rows as unknown as DueSchedule[];
  }

  async keep(tx: Tx, kept: readonly KeptOccurrences[]): Promise<void> {
    const runs = kept.flatMap(({ id, run }) => run.map((dueAt) => ({ id, dueAt })));
    await tx.query(keepOccurrences, [
      kept.map((k) => k.id),
      kept.map((k) => k.nextAt),
      kept.map((k) => k.skipped),
      runs.map((r) => r.id),
      runs.map((r) => r.dueAt),
    ]);
  }

  async startable(db: Tx, most: number): Promise<number[]> {
    return (await db.query<{ id: number }>(findStartable, [most])).rows.map((r) => r.id);
  }

  async holdStartable(tx: Tx, id: number): Promise<ScheduleRow | null> {
    return ((await tx.query(holdStartable, [id])).rows[0] as unknown as ScheduleRow) ?? null;
  }

  async runs(tx: Tx, id: number): Promise<ScheduleRun[]> {
    return (await tx.query(runsOfSchedule, [id])).rows as unknown as ScheduleRun[];
  }

  async move(tx: Tx, id: number, moved: MovedRuns): Promise<void> {
    const { gone, skipped, started, error } = moved;
    await tx.query(moveRuns, [id, gone, skipped, started?.dueAt ?? null, started?.executionId ?? null, error]);
  }
}

function valuesOf(name: string, terms: ScheduleTerms, nextAt: Date | null): unknown[] {
  return [
    name,
    terms.pipeline,
    terms.version,
    terms.cron,
    terms.timeZone,
    terms.input,
    terms.labels,
    terms.priority,
    terms.overlap,
    terms.missed,
    terms.missedLimit,
    terms.enabled,
    nextAt,
  ];
}
