import { isTerminal, nodeById, type ExecutionState } from '@app/domain';
import type { Database, Tx } from '../database/database.js';
import { inTransaction } from '../database/transaction.js';
import { FanOutFactSource } from '../execution-path/fan-out-facts.js';
import { PlanSource } from '../execution-path/plan-source.js';
import { shiftTally } from './shift-tally.sql.js';
import { ancestorCancelled, illegal, invalid, notFound, notRun, type ControlAnswer } from './control-answer.js';
import { beingDeleted } from './being-deleted.sql.js';
import { acceptStages } from './accept-stages.sql.js';
import { addCommand } from './add-command.sql.js';
import { askForProgress } from './ask-for-progress.sql.js';
import { cancelExecution } from './cancel-execution.sql.js';
import { endedFromOutside } from './ended-from-outside.js';
import { dropNeedlessReleases } from './drop-needless-releases.sql.js';
import { putMark } from './put-mark.sql.js';
import { removeMark } from './remove-mark.sql.js';
import { resumeExecution } from './resume-execution.sql.js';
import { wakeBelow } from './wake-below.sql.js';
import { whereIs } from './where-is.sql.js';
import { deletable } from './deletable.sql.js';
import { FanOutMoves, type FanOutChange } from './fan-out-moves.js';
import { cancelledAbove, lockedLineage, openBelow, type LineageLevel } from './lineage.js';
import { Pausing, ROLLOUT_STOPPED } from './pausing.js';
import { Redriving, type RedriveFilter } from './redriving.js';
import { Reopening } from './reopening.js';
import { release } from './releasing.js';
import { receiveSignal } from './signalling.js';
import { stoppedRollout } from './stopped-rollout.sql.js';

const cancelledByOperator = JSON.stringify({
  class: 'CANCELLED',
  code: 'EXECUTION.CANCELLED',
  message: 'cancelled by an operator',
});

/** What a control move set in motion: to be hinted after the commit. */
export interface ControlEffects {
  /** Recorded batches to be settled. */
  batches: number[];
  /** Executions whose running calls are to end. */
  abort: { ids?: string[]; roots?: string[]; fanOuts?: number[] };
  /** Roots below which something was paused: what is claimed there and has not begun is to be handed back. */
  paused?: string[];
}

/**
 * The moves an operator asks for. Each takes the root's gate alone, so that behind it everyone sees the mark; writes one mark
 * on the one execution named; commits; answers. Rows below move later, in bounded batches.
 */
export class ControlMoves {
  private readonly plans: PlanSource;
  private readonly facts = new FanOutFactSource();
  private readonly reopening: Reopening;
  private readonly redriving: Redriving;
  private readonly pausing: Pausing;
  private readonly fanOuts: FanOutMoves;

  constructor(
    private readonly database: Database,
    private readonly tell: (effects: ControlEffects) => void,
  ) {
    this.plans = new PlanSource();
    this.pausing = new Pausing(this.plans, this.facts);
    this.fanOuts = new FanOutMoves(this.plans, this.facts);
    this.reopening = new Reopening(this.plans, this.facts);
    this.redriving = new Redriving(this.plans, this.facts, this.reopening);
  }

  pause(id: string, { cascade }: { cascade: boolean }): Promise<ControlAnswer> {
    return this.alone(id, async (tx, levels, effects) => {
      effects.paused = [levels.at(-1)!.id];
      return this.pausing.pause(tx, levels, cascade, null);
    });
  }

  resume(id: string): Promise<ControlAnswer> {
    return this.alone(id, async (tx, levels, effects) => {
      const self = levels[0]!;
      if (self.state !== 'paused' && self.mark !== 'pause') return illegal('resumed', self.state);
      const { rows } = await tx.query<{ from_state: ExecutionState; reason: string | null }>(removeMark, [id]);
      await tx.query(dropNeedlessReleases, [levels.at(-1)!.id]);
      if (self.state === 'paused') {
        const started = rows[0]?.from_state === 'running';
        await tx.query(resumeExecution, [id, started]);
        if (started) effects.batches.push(await askProgress(tx, id));
      }
      // an operator who paused it himself has not been told of a stage that failed since: the rollout's own pause follows his
      const untold = rows[0]?.reason === null && (await tx.query(stoppedRollout, [id])).rows.length > 0;
      if (untold && self.state === 'paused') {
        const resumed: LineageLevel = { ...self, state: rows[0]!.from_state, mark: null };
        return this.pausing.pause(tx, [resumed, ...levels.slice(1)], true, ROLLOUT_STOPPED);
      }
      await tx.query(acceptStages, [id, 'stopped', null]);
      await tx.query(wakeBelow, [levels.at(-1)!.id]);
      return { ok: true };
    });
  }

  /** One child runs with all below it, although it stands under a pause. */
  release(id: string): Promise<ControlAnswer> {
    return this.alone(id, async (tx, levels, effects) => {
      const answer = await release(tx, levels, this.pausing);
      if (answer.ok) effects.batches.push(await askProgress(tx, id));
      return answer;
    });
  }

  cancel(id: string, { cascade }: { cascade: boolean }): Promise<ControlAnswer> {
    return this.alone(id, async (tx, levels, effects) => {
      const self = levels[0]!;
      const root = levels.at(-1)!.id;
      const below = await openBelow(tx, id, root);
      if (isTerminal(self.state) && (!below || !cascade)) return illegal('cancelled', self.state);
      if (!isTerminal(self.state)) {
        await tx.query(cancelExecution, [id, cancelledByOperator]);
        await endedFromOutside(tx, self, (await this.reopening.placeOf(tx, self)).at.whole, 'CANCELLED');
      }
      await tx.query(putMark, [id, root, 'cancel', cascade, self.state, null]);
      if (cascade) await tx.query(addCommand, ['cancel', id, root, null, null, null, 0]);
      effects.abort = id === root ? { roots: [root] } : { ids: [id] };
      return { ok: true };
    });
  }

  retry(id: string, { from }: { from?: string }): Promise<ControlAnswer> {
    return this.alone(id, async (tx, levels, effects) => {
      const self = levels[0]!;
      const cancelled = cancelledAbove(levels);
      if (cancelled !== null) return ancestorCancelled(cancelled);
      const { at } = await this.reopening.placeOf(tx, self);
      const index = from === undefined ? null : nodeById(at.plan, from)?.index;
      if (index === undefined) return invalid('NODE.NOT_FOUND', `there is no node ${from} in ${at.name}`, 'from');
      if (self.state !== 'failed') return illegal('retried', self.state);
      if (index !== null && !(await this.reopening.hasRun(tx, id, index))) return notRun(from!, self.state);
      const refusal = await this.reopening.reopenAbove(
        tx,
        levels,
        JSON.stringify({ executionId: id, itemIndex: indexOf(self) }),
        false,
      );
      if (refusal) return refusal;
      const inUse = await this.reopening.claimKey(tx, self);
      if (inUse) return inUse;
      const place = await this.reopening.placeOf(tx, self);
      if (index !== null) await this.reopening.rerunFrom(tx, place, id, index);
      const running = index !== null || (await this.redriving.again(tx, place, [id])).has(id);
      if (self.fanOut) await tx.query(shiftTally, [self.fanOut.id, -1, 0, running ? -1 : 0]);
      effects.batches.push(await askProgress(tx, id));
      return { ok: true };
    });
  }

  redrive(id: string, filter: RedriveFilter): Promise<ControlAnswer<{ matched: number; redriven: number }>> {
    return this.alone(id, async (tx, levels) => {
      const self = levels[0]!;
      if (self.state === 'cancelled') return illegal('redriven', self.state);
      const cancelled = cancelledAbove(levels);
      if (cancelled !== null) return ancestorCancelled(cancelled);
      if (self.mark === 'cancel') {
        // it had settled before, and what was open below it was cancelled: that has come to its end, or is to come first
        if (await openBelow(tx, id, levels.at(-1)!.id)) return illegal('redriven', 'cancelling');
        if (!filter.dryRun) await tx.query(removeMark, [id]);
      }
      return this.redriving.redrive(tx, levels, filter);
    });
  }

  patchFanOut(id: string, node: string, change: FanOutChange): Promise<ControlAnswer> {
    return this.alone(id, (tx, levels) => this.fanOuts.patch(tx, levels, node, change));
  }

  pauseFanOut(id: string, node: string): Promise<ControlAnswer> {
    return this.alone(id, async (tx, levels, effects) => {
      effects.paused = [levels.at(-1)!.id];
      return this.fanOuts.pause(tx, levels, node);
    });
  }

  resumeFanOut(id: string, node: string): Promise<ControlAnswer> {
    return this.alone(id, (tx, levels) => this.fanOuts.resume(tx, levels, node));
  }

  cancelFanOut(id: string, node: string): Promise<ControlAnswer> {
    return this.alone(id, async (tx, levels, effects) => {
      const answer = await this.fanOuts.cancel(tx, levels, node);
      if (answer.ok && answer.fanOut !== null) effects.abort = { fanOuts: [answer.fanOut] };
      return answer;
    });
  }

  /** @param body exact JSON text, the output of the node that takes it */
  signal(id: string, name: string, body: string): Promise<ControlAnswer> {
    return this.alone(id, async (tx, levels, effects) => {
      const place = await this.reopening.placeOf(tx, levels[0]!);
      const answer = await receiveSignal(tx, levels, place, { name, body });
      if (answer.ok) effects.batches.push(await askProgress(tx, id));
      return answer;
    });
  }

  /** A settled top-level execution with all below it goes, in batches. */
  remove(id: string): Promise<ControlAnswer> {
    return this.alone(id, async (tx, levels) => {
      const self = levels[0]!;
      if (self.fanOut)
        return {
          ok: false,
          status: 409,
          code: 'EXECUTION.NOT_TOP_LEVEL',
          detail: 'only top-level executions are deleted',
        };
      const { rows } = await tx.query<{ state: string }>(deletable, [id]);
      if (!isTerminal(self.state) || rows.length === 0 || (await openBelow(tx, id, id)))
        return illegal('deleted', self.state);
      await tx.query(addCommand, ['delete', id, id, null, null, null, 0]);
      return { ok: true };
    });
  }

  /** Behind the gate of the root, alone, with the lineage locked from the root down. */
  private async alone<Facts>(
    id: string,
    move: (tx: Tx, levels: readonly LineageLevel[], effects: ControlEffects) => Promise<ControlAnswer<Facts>>,
  ): Promise<ControlAnswer<Facts>> {
    const { rows } = await this.database.any.query<{ root_id: string }>(whereIs, [id]);
    if (!rows[0]) return notFound(id);
    const effects: ControlEffects = { batches: [], abort: {} };
    const answer = await inTransaction(
      this.database.pool,
      async (tx) => {
        const levels = await lockedLineage(tx, id);
        if (levels.length === 0) return notFound(id);
        const gone = await tx.query<{ deleted: boolean }>(beingDeleted, [levels.at(-1)!.id]);
        if (gone.rows[0]!.deleted) return notFound(id);
        const answered = await move(tx, levels, effects);
        if (!answered.ok) throw new Refused(answered);
        return answered;
      },
      { gate: { roots: [rows[0].root_id], mode: 'alone' } },
    ).catch((error: unknown) => {
      if (error instanceof Refused) return error.answer as ControlAnswer<Facts>;
      throw error;
    });
    if (answer.ok) this.tell(effects);
    return answer;
  }
}

/** Rolls back whatever a refused move had begun. */
class Refused extends Error {
  constructor(readonly answer: ControlAnswer) {
    super('refused');
  }
}

async function askProgress(tx: Tx, id: string): Promise<number> {
  return (await tx.query<{ id: number }>(askForProgress, [[id]])).rows[0]!.id;
}

function indexOf(level: LineageLevel): number | null {
  return level.fanOut ? parseInt(level.id.slice(-8), 16) : null;
}
