import type { MissedPolicy, OverlapPolicy } from '@app/domain';

/** What a schedule says. Texts of input and labels are exact JSON. */
export interface ScheduleTerms {
  readonly pipeline: string;
  /** Null: the newest at each start. */
  readonly version: number | null;
  readonly cron: string;
  readonly timeZone: string;
  readonly input: string;
  readonly labels: string | null;
  readonly priority: number;
  readonly overlap: OverlapPolicy;
  readonly missed: MissedPolicy;
  readonly missedLimit: number;
  readonly enabled: boolean;
}

/** A schedule and how it goes. */
export interface ScheduleRow extends ScheduleTerms {
  readonly name: string;
  readonly nextAt: Date | null;
  /** The occurrence that was started last. */
  readonly lastAt: Date | null;
  readonly lastExecutionId: string | null;
  /** JSON text: why an occurrence was not started, until one is. */
  readonly lastError: string | null;
  readonly skipped: number;
  readonly waiting: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const scheduleColumns = `s.name, s.pipeline, s.version, s.cron, s.time_zone as "timeZone", s.input, s.labels, s.priority,
  s.overlap, s.missed, s.missed_limit as "missedLimit", s.enabled, s.next_at as "nextAt", s.last_at as "lastAt",
  s.last_execution_id as "lastExecutionId", s.last_error as "lastError", s.skipped,
  (select count(*)::integer from schedule_run r where r.schedule_id = s.id and r.execution_id is null) as waiting,
  s.created_at as "createdAt", s.updated_at as "updatedAt"`;
