import type { HandoutMessage } from '@app/contracts/messages/envelopes.js';
import { taskQueue } from '@app/contracts/messages/queues.js';
import type { NodeType, Outcome } from '@app/domain';
import type { Bus } from '@app/messaging';
import { sleep, type Clock, type Logger } from '@app/runtime';
import type { ClaimService } from '../claim/claim.service.js';
import type { ClaimedTask } from './claimed-task.js';
import type { AttemptLog } from './attempt-log.js';
import type { AttemptContext, LogLevel, Performer } from './performer.js';
import { LazyAbort } from './lazy-abort.js';
import type { Ended, Recorder } from './recorder.js';
import type { Room } from './room.js';

/** Why a running call is told to end. */
export type AbortReason = 'timeout' | 'cancelled' | 'drain' | 'lease' | 'pause';

const crowdedRestMs = 50;
/** After so many that went ahead one of the others begins. */
const mostLightInARow = 16;
const unsupportedWaitMs = 10_000;
/** With no more claims than that on their way, each is a transaction of its own. */
const fewClaims = 2;

/** Outcomes that may be on their way before nothing more is taken: the database is slow, or away. */
const maxUnrecorded = 2_000;

interface Attempt {
  readonly task: ClaimedTask;
  /** Of an execution that runs little: it begins before others. */
  readonly isLight: boolean;
  readonly calling: LazyAbort;
  reason: AbortReason | null;
  timer: NodeJS.Timeout | null;
  /** Its call is made. */
  begun?: boolean;
  /** Its outcome is on its way to the database. */
  ended: boolean;
}

/** A class, as a literal with an accessor is slow to make. */
class CallContext implements AttemptContext {
  constructor(
    private readonly task: ClaimedTask,
    private readonly calling: LazyAbort,
    private readonly lines: AttemptLog,
  ) {}

  get signal(): AbortSignal {
    return this.calling.signal;
  }

  log(level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>): void {
    this.lines.add(this.task, level, message, fields);
  }
}

/**
 * Runs tasks: claim, perform, record, as one pipeline of steps on one value.
 *
 * A task enters when its claim is committed, waits for a slot, performs, and leaves when its outcome is recorded. No message
 * is held meanwhile: the claim is the truth.
 */
export class RunningService {
  private readonly attempts = new Map<string, Attempt>();
  private readonly buffered: Attempt[] = [];
  /** For each claim that is not answered yet, what was cancelled meanwhile: its tasks are not here to be told. */
  private readonly claiming = new Set<((task: ClaimedTask) => boolean)[]>();
  private performing = 0;
  /** Performed, and on the way to the database: no longer in a slot, but not without bound. */
  private unrecorded = 0;
  private draining = false;
  private alone = false;
  private lightInARow = 0;

  constructor(
    private readonly claims: ClaimService,
    private readonly performers: ReadonlyMap<NodeType, Performer>,
    private readonly room: Room,
    private readonly bus: Bus,
    private readonly clock: Clock,
    private readonly log: AttemptLog,
    private readonly logger: Logger,
    private readonly incarnation: () => number | null,
    private readonly onDoubt: () => void,
    private readonly onWait: (destination: number, afterMs: number) => void,
    private readonly renew: (task: ClaimedTask) => Promise<number | null>,
  ) {}

  private recorder: Recorder;
  private onRoom: () => void = () => {};

  bind(recorder: Recorder, onRoom: () => void): void {
    this.recorder = recorder;
    this.onRoom = onRoom;
  }

  /** What this executor performs or has yet to record, by execution and node. */
  get held(): ReadonlyMap<string, Attempt> {
    return this.attempts;
  }

  /** Whether hand-outs can be taken. */
  get capacity(): number {
    return this.draining || this.incarnation() === null || this.unrecorded >= maxUnrecorded ? 0 : this.room.free;
  }

  /** The same for hand-outs of executions that run little: they have places of their own besides. */
  get lightCapacity(): number {
    const { capacity } = this;
    return capacity > 0 || this.draining || this.incarnation() === null || this.unrecorded >= maxUnrecorded
      ? capacity
      : this.room.reserve;
  }

  /**
   * Claims hand-outs and starts what was claimed. What does not fit goes back to the queue.
   * @param isLight they are of executions that run little: they need not wait for room, and begin before what is buffered
   */
  async take(handouts: readonly HandoutMessage[], isLight = false): Promise<void> {
    const rest: HandoutMessage[] = [];
    const crowded: HandoutMessage[] = [];
    await Promise.all(
      handouts.map(async (handout) => {
        if (!isLight) await this.room.until(handout.size);
        const incarnation = this.incarnation();
        const most = Math.min(handout.size, Math.max(this.room.free, isLight ? this.room.reserve : 0));
        const prompt = this.room.prompt;
        if (incarnation === null || this.draining || most <= 0) return void rest.push(handout);
        this.room.take(most);
        let claimed = 0;
        const cancelled: ((task: ClaimedTask) => boolean)[] = [];
        this.claiming.add(cancelled);
        try {
          const claim = await this.claims.claim(handout, incarnation, {
            most,
            prompt,
            quiet: this.claiming.size <= fewClaims,
          });
          claimed = claim.tasks.length;
          this.begin(claim.tasks, this.distrust(incarnation), cancelled, isLight);
          if (claim.wake) this.onWait(claim.wake.destination, claim.wake.afterMs);
          if (claim.crowded) crowded.push(claim.rest ?? handout);
          else if (claim.rest) rest.push(claim.rest);
        } catch (error) {
          this.logger.warn({ err: error, handout: handout.handout }, 'a claim was not answered');
          this.onDoubt();
        } finally {
          this.claiming.delete(cancelled);
          this.room.give(most - claimed);
        }
      }),
    );
    await this.giveBack(rest);
    if (crowded.length === 0) return;
    // Others may have a slot; where nobody has, asking at once again would ask without end.
    await sleep(crowdedRestMs);
    await this.giveBack(crowded);
  }

  private async giveBack(rest: readonly HandoutMessage[]): Promise<void> {
    for (const queue of new Set(rest.map((h) => h.queue)))
      await this.bus
        .publish(
          taskQueue(queue),
          rest.filter((h) => h.queue === queue),
        )
        .catch(() => undefined);
  }

  /** Why what this incarnation has claimed is not to be performed: its answer came after the lease was lost, or while draining. */
  private distrust(incarnation: number): AbortReason | null {
    if (this.incarnation() !== incarnation) return 'lease';
    return this.draining ? 'drain' : null;
  }

  /**
   * @param distrust they end at once, interrupted and uncharged
   * @param cancelled what of them is not to be called any more
   */
  private begin(
    tasks: readonly ClaimedTask[],
    distrust: AbortReason | null,
    cancelled: readonly ((task: ClaimedTask) => boolean)[],
    isLight: boolean,
  ): void {
    this.recorder.expect(tasks);
    const begun = tasks.map((task): Attempt => {
      const reason = distrust ?? (cancelled.some((matches) => matches(task)) ? 'cancelled' : null);
      const attempt = { task, isLight, calling: new LazyAbort(), reason, timer: null, ended: false };
      this.attempts.set(nameOf(task), attempt);
      return attempt;
    });
    // A suspect waits until nothing else runs, so nobody goes before it.
    const from = isLight ? this.buffered.findLastIndex((attempt) => attempt.task.suspect) + 1 : this.buffered.length;
    const heavy = this.buffered.findIndex((attempt, i) => i >= from && !attempt.isLight);
    this.buffered.splice(heavy < 0 ? this.buffered.length : heavy, 0, ...begun);
    this.pump();
  }

  /** Fills free slots. A suspect runs alone on its executor: it may be what killed the last two. */
  private pump(): void {
    while (this.buffered.length > 0 && this.performing < this.room.slots && !this.alone) {
      const at = this.nextInLine();
      const next = this.buffered[at]!;
      if (next.task.suspect && this.performing > 0) return;
      this.buffered.splice(at, 1);
      this.lightInARow = next.isLight ? this.lightInARow + 1 : 0;
      this.performing++;
      this.alone = next.task.suspect;
      void this.run(next);
    }
  }

  /** The first, but after several that went ahead one of the others: their time runs as well. */
  private nextInLine(): number {
    if (this.lightInARow < mostLightInARow || this.buffered[0]!.task.suspect) return 0;
    return Math.max(
      0,
      this.buffered.findIndex((attempt) => !attempt.isLight && !attempt.task.suspect),
    );
  }

  private async run(attempt: Attempt): Promise<void> {
    const { task } = attempt;
    const outcome = attempt.reason ? interruptedBy(attempt.reason) : await this.perform(attempt);
    if (attempt.timer) clearTimeout(attempt.timer);
    this.performing--;
    this.unrecorded++;
    this.room.give(1);
    if (task.suspect) this.alone = false;
    attempt.ended = true;
    this.recorder.add({ task, outcome: attempt.reason === 'cancelled' ? null : outcome });
    this.pump();
  }

  private async perform(attempt: Attempt): Promise<Outcome> {
    const { task, calling } = attempt;
    if (task.refusal !== null) return task.refusal;
    if (task.startBy !== null && !(await this.mayBegin(task))) return { kind: 'interrupted' };
    if (attempt.reason) return interruptedBy(attempt.reason, task);
    const performer = this.performers.get(task.node.type);
    if (!performer) return unsupported(task);
    attempt.begun = true;
    // longer than a timer of this process can be, it is the orchestrator's alone
    if (task.node.timeoutMs !== null && task.node.timeoutMs < 2 ** 31)
      attempt.timer = setTimeout(() => this.abort(attempt, 'timeout'), task.node.timeoutMs);
    const startedAt = this.clock.monotonic();
    try {
      const outcome = await performer.perform(task, new CallContext(task, calling, this.log));
      return attempt.reason && outcome.kind !== 'succeeded' ? interruptedBy(attempt.reason, task) : outcome;
    } catch (error) {
      if (attempt.reason) return interruptedBy(attempt.reason, task);
      this.logger.error({ err: error, executionId: task.executionId }, 'a performer threw');
      return failed('EXECUTOR.DEFECT', (error as Error).message);
    } finally {
      this.room.performed(this.clock.monotonic() - startedAt);
    }
  }

  /** What its destinations allowed at the claim is not allowed much later: then it counts anew, or gives its claim back. */
  private async mayBegin(task: ClaimedTask): Promise<boolean> {
    let { startBy } = task;
    while (startBy !== null && this.clock.monotonic() > startBy) {
      startBy = await this.renew(task);
      if (startBy === null) return false;
    }
    return true;
  }

  private abort(attempt: Attempt, reason: AbortReason): void {
    if (attempt.ended) return;
    attempt.reason ??= reason;
    attempt.calling.abort(new Error(reason));
  }

  /** Calls of what was cancelled are told to end, and none of it that is being claimed just now begins. */
  cancelWhere(matches: (task: ClaimedTask) => boolean): void {
    for (const cancelled of this.claiming) cancelled.push(matches);
    this.abortWhere(matches, 'cancelled');
  }

  /** Tells calls to end. */
  abortWhere(matches: (task: ClaimedTask) => boolean, reason: AbortReason): number {
    let aborted = 0;
    for (const attempt of this.attempts.values())
      if (!attempt.ended && matches(attempt.task)) {
        this.abort(attempt, reason);
        aborted++;
      }
    return aborted;
  }

  /** What is claimed and has not begun. */
  get unbegun(): ClaimedTask[] {
    return [...this.attempts.values()].filter((a) => !a.begun && !a.ended).map(({ task }) => task);
  }

  /** Hands back, uncharged, what has not begun. */
  handBack(matches: (task: ClaimedTask) => boolean): void {
    for (const attempt of this.attempts.values())
      if (!attempt.begun && !attempt.ended && matches(attempt.task)) attempt.reason ??= 'pause';
    this.putBack((attempt) => attempt.reason === 'pause');
    this.pump();
  }

  /** Outcomes are recorded: this executor holds the tasks no more. */
  recorded(ended: readonly Ended[]): void {
    for (const { task } of ended) {
      const known = this.attempts.get(nameOf(task));
      if (known && known.task.fencingToken === task.fencingToken) this.attempts.delete(nameOf(task));
    }
    this.unrecorded -= ended.length;
    this.onRoom();
  }

  /** Takes nothing new; hands back what waits for a slot; waits for calls until `graceMs` is over, then aborts them. */
  async drain(graceMs: number): Promise<void> {
    this.draining = true;
    for (const attempt of this.buffered) attempt.reason ??= 'drain';
    const until = this.clock.monotonic() + graceMs;
    this.putBack(() => true);
    while (this.performing > 0 && this.clock.monotonic() < until)
      await new Promise((resolve) => setTimeout(resolve, 25));
    this.abortWhere(() => true, 'drain');
    const last = this.clock.monotonic() + 2_000;
    while (this.performing > 0 && this.clock.monotonic() < last)
      await new Promise((resolve) => setTimeout(resolve, 25));
    await this.recorder.drained();
  }

  /** Buffered tasks that are not to be performed end at once, slot or not. */
  private putBack(which: (attempt: Attempt) => boolean): void {
    for (const attempt of this.buffered.splice(0)) {
      if (!which(attempt)) {
        this.buffered.push(attempt);
        continue;
      }
      attempt.ended = true;
      this.unrecorded++;
      this.room.give(1);
      this.recorder.add({ task: attempt.task, outcome: { kind: 'interrupted' } });
    }
  }
}

export function nameOf(task: Pick<ClaimedTask, 'executionId' | 'node'>): string {
  return `${task.executionId}/${task.node.index}`;
}

function interruptedBy(reason: AbortReason, task?: ClaimedTask): Outcome {
  if (reason === 'timeout')
    return {
      kind: 'failed',
      class: 'TIMEOUT',
      error: {
        class: 'TIMEOUT',
        code: 'TASK.TIMED_OUT',
        message: `the attempt took longer than ${task?.node.timeoutMs} ms`,
      },
    };
  return reason === 'cancelled' ? { kind: 'cancelled' } : { kind: 'interrupted' };
}

/** An executor of another release may perform it. */
function unsupported({ node }: ClaimedTask): Outcome {
  const message = `this executor performs no ${node.type} nodes`;
  return {
    kind: 'snoozed',
    waitMs: unsupportedWaitMs,
    error: { class: 'TRANSIENT', code: 'NODE.UNSUPPORTED', message },
  };
}

function failed(code: string, message: string): Outcome {
  return { kind: 'failed', class: 'PERMANENT', error: { class: 'PERMANENT', code, message } };
}
