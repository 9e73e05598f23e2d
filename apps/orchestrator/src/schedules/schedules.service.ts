import { chosenOccurrences, mostWaiting, nextRun, topLevelId } from '@app/domain';
import {
  inTransaction,
  type ControlMoves,
  type Database,
  type DueSchedule,
  type KeptOccurrences,
  type PlanSource,
  type ScheduleRow,
  type ScheduleStore,
  type Tx,
} from '@app/persistence';
import type { Clock, Logger, Random } from '@app/runtime';
import { labelsWith, Occurrences, Starter, StartRefused } from '@app/starting';
import type { Hints } from '../deciding/hints.js';

const mostAtOnce = 50;

/** What a turn of one schedule set in motion. */
interface Turn {
  readonly started: string | null;
  /** Open executions that are to make room. */
  readonly cancel: readonly string[];
}

/**
 * Starts executions on schedule, in two moves.
 *
 * *Due*: a schedule whose time has come is held, what fell due is kept in `schedule_run` and the schedule moves on to its next
 * occurrence, in one transaction. *Start*: of a schedule with occurrences that wait, held, one is started when nothing it started
 * before is open, and the occurrence names its execution from then on, in the transaction of the start.
 *
 * Promises. Each occurrence is kept once (the schedule's row, and the key of the occurrence) and started at most once, however
 * many orchestrators look. None is started while the one before it is open. Times are the database's.
 *
 * Dying between any two lines: before the first commit the schedule is still due; after it the occurrence waits in its row. A
 * cancel that makes room is asked for again, as the one that waits is still there.
 */
export class SchedulesService {
  private readonly starter = new Starter();

  constructor(
    private readonly database: Database,
    private readonly store: ScheduleStore,
    private readonly plans: PlanSource,
    private readonly control: ControlMoves,
    private readonly hints: Hints,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly logger: Logger,
  ) {}

  /** @returns what was done; above 0 there may be more */
  async runOnce(): Promise<number> {
    let done = await this.keepDue();
    for (const id of await this.store.startable(this.database.any, mostAtOnce))
      try {
        done += await this.turn(id);
      } catch (error) {
        this.logger.warn({ err: error, schedule: id }, 'a schedule could not go on yet');
      }
    return done;
  }

  private keepDue(): Promise<number> {
    return inTransaction(this.database.pool, async (tx) => {
      const due = await this.store.takeDue(tx, mostAtOnce);
      const kept = due.map((schedule) => this.keptOf(schedule));
      if (due.length > 0) await this.store.keep(tx, kept);
      return due.length;
    });
  }

  /** One that can no longer be read, as where its time zone is not known here, has no next occurrence and holds up nobody. */
  private keptOf(schedule: DueSchedule): KeptOccurrences {
    const { id, now, missed, missedLimit, waiting } = schedule;
    try {
      const occurrences = new Occurrences(schedule.cron, schedule.timeZone);
      const { due } = occurrences.between(schedule.nextAt, now);
      const chosen = chosenOccurrences(due, now, missed, missedLimit, mostWaiting - waiting);
      return { id, nextAt: occurrences.after(now), ...chosen };
    } catch (error) {
      this.logger.error({ err: error, schedule: schedule.name }, 'a schedule cannot be read any more');
      return { id, nextAt: null, run: [], skipped: 0 };
    }
  }

  private async turn(id: number): Promise<number> {
    const { started, cancel } = await inTransaction(this.database.pool, (tx) => this.start(tx, id));
    if (started !== null) this.hints.intake([started]);
    for (const executionId of cancel) await this.control.cancel(executionId, { cascade: true });
    return (started === null ? 0 : 1) + cancel.length;
  }

  private async start(tx: Tx, id: number): Promise<Turn> {
    const schedule = await this.store.holdStartable(tx, id);
    if (!schedule) return { started: null, cancel: [] };
    const runs = await this.store.runs(tx, id);
    const open = runs.flatMap((run) => (run.executionId !== null && run.open ? [run.executionId] : []));
    const settled = runs.filter((run) => run.executionId !== null && !run.open).map((run) => run.dueAt);
    const waiting = runs.filter((run) => run.executionId === null).map((run) => run.dueAt);
    const next = nextRun(schedule.overlap, open.length > 0, waiting);
    const gone = [...settled, ...next.drop];
    const skipped = next.drop.length;
    const dueAt = next.start;
    if (dueAt === null) {
      await this.store.move(tx, id, { gone, skipped, started: null, error: null });
      return { started: null, cancel: next.cancel ? open : [] };
    }
    try {
      const executionId = await this.startAt(tx, schedule, dueAt);
      await this.store.move(tx, id, { gone, skipped, started: { dueAt, executionId }, error: null });
      return { started: executionId, cancel: [] };
    } catch (error) {
      if (!(error instanceof StartRefused)) throw error;
      this.logger.warn({ schedule: schedule.name, code: error.code, dueAt }, 'an occurrence was not started');
      const told = JSON.stringify({ code: error.code, message: error.message, scheduledFor: dueAt });
      await this.store.move(tx, id, { gone: [...gone, dueAt], skipped: skipped + 1, started: null, error: told });
      return { started: null, cancel: [] };
    }
  }

  /** @throws StartRefused before it has written anything */
  private async startAt(tx: Tx, schedule: ScheduleRow, dueAt: Date): Promise<string> {
    const { name, pipeline, version, input, priority } = schedule;
    const versionId = await this.plans.resolve(tx, pipeline, version);
    const shown = version === null ? pipeline : `${pipeline}@${version}`;
    if (versionId === null) throw new StartRefused('PIPELINE.UNKNOWN', `the pipeline ${shown} does not exist`);
    const { whole: plan } = await this.plans.at(tx, versionId, []);
    this.starter.checkInput(plan, input);
    const id = topLevelId(this.clock.now(), this.random.bytes(10));
    const labels = labelsWith(schedule.labels, { schedule: name, scheduledFor: dueAt.toISOString() });
    const traceId = this.random.bytes(16).toString('hex');
    await this.starter.start(tx, { id, pipeline, versionId, plan, input, labels, priority, traceId, key: null });
    return id;
  }
}
