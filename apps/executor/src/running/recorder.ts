import { RECORDED_QUEUE } from '@app/contracts/messages/queues.js';
import type { HandoutMessage } from '@app/contracts/messages/envelopes.js';
import type { Outcome } from '@app/domain';
import type { Bus } from '@app/messaging';
import { isRefusedData, type Database, type RecordedOutcomeRow, type RecordStore } from '@app/persistence';
import { sleep, type Logger, type Metrics } from '@app/runtime';
import type { ClaimedTask } from './claimed-task.js';

export interface Ended {
  readonly task: ClaimedTask;
  /** Null: nothing is to be recorded, the task is somebody else's now; what it holds is let go all the same. */
  readonly outcome: Outcome | null;
}

const maxPerFlush = 1_000;
const maxFlushes = 2;
const secondFlushFrom = 400;
const tidyMs = 500;
/** Outcomes of commands are gathered for so long, or until there are so many. */
const gatherMs = 60;
const gatherMost = 16;

/**
 * Records outcomes in batches as large as what arrived while the previous one was on its way: one when idle, hundreds when
 * busy. A batch that the database refuses for its data is halved until the row is alone; that one fails with PAYLOAD.REFUSED.
 * While the database is away outcomes wait here; what the lease does not survive is rejected by the fencing token later.
 */
export class Recorder {
  private waiting: Ended[] = [];
  private flushing = 0;
  private scheduled = false;
  private readonly outstanding = new Map<number, number>();
  private idle: (() => void)[] = [];
  /** Claim batches of which everything is recorded: their rows go with the next flush. */
  private readonly done = new Set<number>();
  private tidying: NodeJS.Timeout | null = null;
  private gathering: NodeJS.Timeout | null = null;
  private lastIncarnation = 0;
  /** Recorded already, should a batch of which they are a part be written once more. */
  private readonly written = new WeakSet<Ended>();

  constructor(
    private readonly database: Database,
    private readonly store: RecordStore,
    private readonly bus: Bus,
    private readonly logger: Logger,
    private readonly rejected: ReturnType<Metrics['counter']>,
    private readonly onRecorded: (ended: readonly Ended[]) => void,
    private readonly onFreed: (waiting: readonly HandoutMessage[]) => void,
    private readonly freePlaces: () => number,
    private readonly queues: readonly string[],
  ) {}

  /** Tasks of a claim batch that will end some time. */
  expect(tasks: readonly ClaimedTask[]): void {
    for (const t of tasks) this.outstanding.set(t.batchId, (this.outstanding.get(t.batchId) ?? 0) + 1);
  }

  add(ended: Ended): void {
    this.waiting.push(ended);
    if (this.scheduled || !this.mayFlush()) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      if (this.mayGather()) this.gather();
      else void this.flush();
    });
  }

  /**
   * Whether more is worth waiting for: commands take tens of milliseconds each, and a transaction for each of them takes as much again.
   * Nobody waits for one that is a child and holds no destination, as long as there are more of them to come.
   */
  private mayGather(): boolean {
    if (this.waiting.length >= gatherMost) return false;
    if (!this.waiting.every(({ task }) => task.node.type === 'SHELL' && task.fanOutId !== null && !task.holds))
      return false;
    let claimed = 0;
    for (const count of this.outstanding.values()) claimed += count;
    return claimed > this.waiting.length;
  }

  private gather(): void {
    this.gathering ??= setTimeout(() => void this.flush(), gatherMs);
  }

  /** Resolves when everything added so far is recorded. */
  async drained(): Promise<void> {
    if (this.waiting.length === 0 && this.flushing === 0 && !this.scheduled) return;
    await new Promise<void>((resolve) => this.idle.push(resolve));
  }

  /** The next flush takes what arrived while one was on its way; a second one at the same time only when much has. */
  private mayFlush(): boolean {
    return this.flushing === 0 || (this.flushing < maxFlushes && this.waiting.length >= secondFlushFrom);
  }

  private async flush(): Promise<void> {
    if (this.gathering) clearTimeout(this.gathering);
    this.gathering = null;
    if (!this.mayFlush()) return;
    this.flushing++;
    try {
      // What arrives meanwhile is gathered anew, where it is worth it.
      for (let isFirst = true; this.waiting.length > 0 && (isFirst || !this.mayGather()); isFirst = false) {
        const batch = this.waiting.splice(0, maxPerFlush);
        await this.persist(batch);
      }
    } finally {
      this.flushing--;
      if (this.waiting.length > 0 && this.flushing === 0) this.gather();
      if (this.waiting.length === 0 && this.flushing === 0) for (const resolve of this.idle.splice(0)) resolve();
    }
  }

  private async persist(batch: readonly Ended[]): Promise<void> {
    for (let pause = 100; ; pause = Math.min(2_000, pause * 2)) {
      try {
        await this.writeHalving(batch);
        break;
      } catch (error) {
        this.logger.warn({ err: error, outcomes: batch.length }, 'outcomes could not be recorded yet');
        await sleep(pause);
      }
    }
    this.onRecorded(batch);
  }

  private async writeHalving(batch: readonly Ended[]): Promise<void> {
    try {
      await this.write(batch);
    } catch (error) {
      if (!isRefusedData(error)) throw error;
      if (batch.length > 1) {
        const half = batch.length >> 1;
        await this.writeHalving(batch.slice(0, half));
        await this.writeHalving(batch.slice(half));
        return;
      }
      await this.writeRefused(batch[0]!, error);
    }
  }

  private async writeRefused({ task }: Ended, error: unknown): Promise<void> {
    this.logger.error({ err: error, executionId: task.executionId }, 'the database refuses the data of an outcome');
    const failure = {
      class: 'PERMANENT',
      code: 'PAYLOAD.REFUSED',
      message: 'the database refused the data of this attempt',
    } as const;
    await this.write([{ task, outcome: { kind: 'failed', class: 'PERMANENT', error: failure } }]);
  }

  /** What was claimed by an earlier incarnation of this process is recorded as its: if it is lost by now, that changes nothing. */
  private async write(batch: readonly Ended[]): Promise<void> {
    const incarnations = new Set(batch.map((e) => e.task.incarnation));
    for (const incarnation of incarnations)
      await this.writeOf(
        incarnation,
        incarnations.size === 1 ? batch : batch.filter((e) => e.task.incarnation === incarnation),
      );
  }

  private async writeOf(incarnation: number, all: readonly Ended[]): Promise<void> {
    const batch = all.filter((e) => !this.written.has(e));
    if (batch.length === 0 && all.length > 0) return;
    const rows: RecordedOutcomeRow[] = [];
    for (const { task, outcome } of batch)
      if (outcome)
        rows.push({
          executionId: task.executionId,
          node: task.node.index,
          fencingToken: task.fencingToken,
          outcome,
          plain: outcome.kind === 'succeeded' && task.fanOutId !== null && task.at.plan.nodes.length === 1,
          topLevelVersion: task.fanOutId === null ? task.at.versionId : null,
        });
    const finished = [...this.done, ...(this.flushing === 1 ? this.finishedBy(batch) : [])];
    const holders = batch.filter((e) => e.task.holds).map(({ task }) => task);
    const result = await this.store.record(this.database.any, incarnation, rows, finished, holders);
    for (const id of finished) this.done.delete(id);
    for (const ended of batch) this.written.add(ended);
    this.forget(batch, new Set(finished));
    this.lastIncarnation = incarnation;
    if (result.batches.length > 0) void this.bus.publish(RECORDED_QUEUE, result.batches).catch(() => undefined);
    await this.follow(incarnation, result.rejected, result.freed, holders.length).catch((error: unknown) =>
      this.logger.warn({ err: error }, 'what follows a record is left to the sweeps'),
    );
  }

  /** The outcomes are recorded: nothing from here on may make them be written again. */
  private async follow(
    incarnation: number,
    rejected: readonly RecordedOutcomeRow[],
    freed: readonly number[],
    places: number,
  ): Promise<void> {
    if (rejected.length > 0) {
      this.rejected.inc(rejected.length);
      this.logger.warn({ rejected: rejected.length, incarnation }, 'late outcomes were rejected');
      await this.store.noteRejected(this.database.any, incarnation, rejected);
    }
    if (freed.length === 0) return;
    // A few more than places: one may find that another of its destinations is full.
    const most = Math.max(1, Math.min(this.freePlaces(), places + 2));
    const waiting = await this.store.takeWaiting(this.database.any, freed, most, this.queues);
    if (waiting.length > 0) this.onFreed(waiting);
  }

  private tidy(): void {
    this.tidying = null;
    if (this.done.size > 0 && this.flushing === 0 && this.waiting.length === 0)
      void this.writeOf(this.lastIncarnation, []).catch((error: unknown) =>
        this.logger.warn({ err: error }, 'finished claim batches are removed later'),
      );
  }

  private finishedBy(batch: readonly Ended[]): number[] {
    const ended = new Map<number, number>();
    for (const { task } of batch) ended.set(task.batchId, (ended.get(task.batchId) ?? 0) + 1);
    return [...ended].filter(([id, n]) => (this.outstanding.get(id) ?? 0) <= n).map(([id]) => id);
  }

  /** A row may go only when nothing of it is on its way any more: a crash would leave tasks that nobody finds. */
  private forget(batch: readonly Ended[], gone: ReadonlySet<number>): void {
    for (const { task } of batch) {
      const left = (this.outstanding.get(task.batchId) ?? 0) - 1;
      if (left > 0) this.outstanding.set(task.batchId, left);
      else {
        this.outstanding.delete(task.batchId);
        if (!gone.has(task.batchId)) this.done.add(task.batchId);
      }
    }
    if (this.done.size > 0) this.tidying ??= setTimeout(() => this.tidy(), tidyMs);
  }
}
