import { childIdRange } from '@app/domain';
import type { Tx } from '../database/database.js';
import { FanOutFactSource } from '../execution-path/fan-out-facts.js';
import { PlanSource } from '../execution-path/plan-source.js';
import { cancelChildren } from './cancel-children.sql.js';
import { closeFanOut } from './close-fan-out.sql.js';
import { endCommand } from './end-command.sql.js';
import { isCancelling } from './is-cancelling.sql.js';
import { liftTimeoutMark } from './lift-timeout-mark.sql.js';
import { timeOut } from './timing-out.js';
import { lastFanOuts } from './last-fan-outs.sql.js';
import { listCommands } from './list-commands.sql.js';
import { lockCommands } from './lock-commands.sql.js';
import { moveCommand } from './move-command.sql.js';
import { fanOutsBelow } from './fan-outs-below.sql.js';
import { fanOutsFrom } from './fan-outs-from.sql.js';
import { deleteChildren } from './delete-children.sql.js';
import { deleteFanOuts } from './delete-fan-outs.sql.js';
import { deleteTop } from './delete-top.sql.js';
import { lockedLineage } from './lineage.js';
import { Pausing, ROLLOUT_STOPPED } from './pausing.js';
import { Redriving, type RedriveFilter } from './redriving.js';
import { Reopening } from './reopening.js';
import { lockVictims } from './lock-victims.sql.js';
import { markAbove } from './mark-above.sql.js';
import { markDue } from './mark-due.sql.js';
import { removeFanOutMark } from './remove-fan-out-mark.sql.js';
import { WaitingCancels } from './waiting-cancel.js';
import { roundOfFanOut } from './round-of-fan-out.sql.js';
import { stoppedRollout } from './stopped-rollout.sql.js';

export interface Command {
  readonly id: number;
  readonly kind: 'redrive' | 'cancel' | 'fail_fast' | 'delete' | 'rollout_stop' | 'timeout' | 'cancel_waiting';
  readonly executionId: string;
  readonly rootId: string;
  readonly fanOutId: number | null;
  readonly round: number | null;
  readonly filter: string | null;
  readonly nextFanOut: number;
  readonly position: string | null;
  readonly createdAt: Date;
}

/** What one turn of a command did. */
export interface CommandTurn {
  readonly moved: number;
  readonly done: boolean;
  /** Fan-outs whose running calls are to end. */
  readonly fanOuts?: readonly number[];
  /** Executions that ended, whose running calls are to end. */
  readonly ended?: readonly string[];
  /** The root of what was paused. */
  readonly paused?: string;
}

const cancelledAbove = JSON.stringify({
  class: 'CANCELLED',
  code: 'EXECUTION.CANCELLED',
  message: 'an execution above was cancelled',
});
const cancelledWith = JSON.stringify({
  class: 'CANCELLED',
  code: 'EXECUTION.CANCELLED',
  message: 'its fan-out was cancelled by an operator',
});
const closedEarly = JSON.stringify({
  class: 'CANCELLED',
  code: 'FAN_OUT.CLOSED',
  message: 'the fan-out was closed early by its failure budget',
});
const pageSize = 1_000;
const fanOutsPerTurn = 20;
const fanOutsPerDelete = 50;

/** Unfinished bulk commands, each at its cursor. */
export class CommandStore {
  private readonly facts = new FanOutFactSource();
  private readonly reopening: Reopening;
  private readonly redriving: Redriving;
  private readonly pausing: Pausing;
  private readonly waiting: WaitingCancels;

  constructor() {
    const plans = new PlanSource();
    this.pausing = new Pausing(plans, this.facts);
    this.reopening = new Reopening(plans, this.facts);
    this.waiting = new WaitingCancels(this.facts, this.reopening);
    this.redriving = new Redriving(plans, this.facts, this.reopening);
  }

  async list(db: Tx, most: number): Promise<{ id: number; rootId: string }[]> {
    return (await db.query<{ id: number; root_id: string }>(listCommands, [most])).rows.map((r) => ({
      id: r.id,
      rootId: r.root_id,
    }));
  }

  /** Null: it has ended, or somebody else works on it. */
  async lock(tx: Tx, id: number): Promise<Command | null> {
    const r = (await tx.query(lockCommands, [[id]])).rows[0];
    if (!r) return null;
    return {
      id: r.id as number,
      kind: r.kind as Command['kind'],
      executionId: r.execution_id as string,
      rootId: r.root_id as string,
      fanOutId: r.fan_out_id as number | null,
      round: r.round as number | null,
      filter: r.filter as string | null,
      nextFanOut: r.next_fan_out as number,
      position: r.position as string | null,
      createdAt: r.created_at as Date,
    };
  }

  /** One bounded turn, which moves the command's cursor. */
  async turn(tx: Tx, command: Command): Promise<CommandTurn> {
    switch (command.kind) {
      case 'redrive':
        return this.redrive(tx, command);
      case 'cancel':
      case 'fail_fast':
        return this.cancel(tx, command);
      case 'delete':
        return this.remove(tx, command);
      case 'rollout_stop':
        return this.stop(tx, command);
      case 'timeout':
        return this.timeOut(tx, command);
      case 'cancel_waiting':
        return this.cancelWaiting(tx, command);
    }
  }

  private async redrive(tx: Tx, command: Command): Promise<CommandTurn> {
    const above = await tx.query<{ mark: string | null }>(markAbove, [command.executionId]);
    if (above.rows[0]!.mark === 'cancel') {
      await this.end(tx, command);
      return { moved: 0, done: true };
    }
    const filter = JSON.parse(command.filter!) as RedriveFilter;
    const { moved, last } = await this.redriving.page(tx, { ...command, fanOutId: command.fanOutId! }, filter);
    if (last === null) {
      await this.end(tx, command);
      await tx.query(markDue, [command.fanOutId]);
      return { moved, done: true };
    }
    await tx.query(moveCommand, [command.id, 0, last, moved]);
    return { moved, done: false };
  }

  /**
   * Fan-out by fan-out, in the order of their numbers, so that one that is born meanwhile is met later; small ones together, as many
   * as make a page.
   */
  private async cancel(tx: Tx, command: Command): Promise<CommandTurn> {
    const fanOuts = (await this.isOver(tx, command)) ? [] : await this.nextFanOuts(tx, command);
    if (fanOuts.length === 0) {
      if (command.fanOutId === null) await tx.query(liftTimeoutMark, [command.executionId]);
      else if (command.kind === 'cancel')
        await tx.query(removeFanOutMark, [command.executionId, command.fanOutId, 'cancel']);
      await this.end(tx, command);
      return { moved: 0, done: true };
    }
    const cause = command.kind !== 'cancel' ? closedEarly : command.fanOutId === null ? cancelledAbove : cancelledWith;
    const facts = await this.facts.of(tx, fanOuts);
    let moved = 0;
    let next = command.nextFanOut;
    let position: string | null = null;
    for (const [i, fanOut] of fanOuts.entries()) {
      const from = i === 0 ? command.position : null;
      const page = await this.cancelPage(tx, fanOut, facts.get(fanOut)!.rootId, from, pageSize - moved, cause);
      moved += page.cancelled;
      position = page.last;
      if (position !== null) break;
      next = fanOut;
    }
    await tx.query(moveCommand, [command.id, next, position, moved]);
    return { moved, done: false, fanOuts };
  }

  /** @returns how many it cancelled, and the last of them where there may be more */
  private async cancelPage(
    tx: Tx,
    fanOut: number,
    root: string,
    position: string | null,
    most: number,
    cause: string,
  ): Promise<{ cancelled: number; last: string | null }> {
    if (position === null) await tx.query(closeFanOut, [fanOut]);
    const [first, last] = childIdRange(root, fanOut);
    const victims = await tx.query<{ id: string }>(lockVictims, [position ?? first, last, most]);
    const ids = victims.rows.map((r) => r.id);
    if (ids.length === 0) return { cancelled: 0, last: null };
    const { rows } = await tx.query<{ cancelled: number; last_id: string }>(cancelChildren, [fanOut, ids, cause]);
    return { cancelled: rows[0]!.cancelled, last: ids.length < most ? null : ids.at(-1)! };
  }

  /** What an earlier round's budget had cancelled is nobody's business once the merge is open again; nor is what runs again. */
  private async isOver(tx: Tx, command: Command): Promise<boolean> {
    if (command.kind === 'cancel') {
      const values = [command.executionId, command.fanOutId ?? 0];
      const { rows } = await tx.query<{ cancelling: boolean }>(isCancelling, values);
      if (!rows[0]!.cancelling || command.fanOutId === null) return !rows[0]!.cancelling;
    }
    const { rows } = await tx.query<{ round: number }>(roundOfFanOut, [command.fanOutId]);
    return rows[0]?.round !== command.round;
  }

  private async nextFanOuts(tx: Tx, { executionId, fanOutId, rootId, nextFanOut }: Command): Promise<number[]> {
    const { rows } =
      fanOutId !== null
        ? await tx.query<{ id: number }>(fanOutsFrom, [fanOutId, rootId, nextFanOut, fanOutsPerTurn])
        : await tx.query<{ id: number }>(fanOutsBelow, [executionId, rootId, nextFanOut, fanOutsPerTurn]);
    return rows.map((r) => r.id);
  }

  /** From the youngest fan-out down, so that nothing is left below what is gone; small ones together, as many as make a page. */
  private async remove(tx: Tx, command: Command): Promise<CommandTurn> {
    const { rows } = await tx.query<{ id: number }>(lastFanOuts, [command.rootId, fanOutsPerDelete]);
    if (rows.length === 0) {
      await tx.query(deleteTop, [command.executionId]);
      await this.end(tx, command);
      return { moved: 1, done: true };
    }
    const emptied: number[] = [];
    let moved = 0;
    for (const { id } of rows) {
      const [first, last] = childIdRange(command.rootId, id);
      const most = pageSize - moved;
      const deleted = (await tx.query<{ deleted: number }>(deleteChildren, [first, last, most])).rows[0]!.deleted;
      moved += deleted;
      if (deleted === most) break;
      emptied.push(id);
    }
    if (emptied.length > 0) await tx.query(deleteFanOuts, [emptied]);
    return { moved, done: false };
  }

  /** A rollout that failed a stage pauses its execution, until an operator resumes or cancels it. */
  private async stop(tx: Tx, command: Command): Promise<CommandTurn> {
    const levels = await lockedLineage(tx, command.executionId);
    // one that is paused, cancelled or settled meanwhile needs nothing, nor one whose stage was accepted before this came
    const isStopped = (await tx.query(stoppedRollout, [command.executionId])).rows.length > 0;
    if (levels.length > 0 && isStopped) await this.pausing.pause(tx, levels, true, ROLLOUT_STOPPED);
    await this.end(tx, command);
    return { moved: 1, done: true, paused: command.rootId };
  }

  private async timeOut(tx: Tx, command: Command): Promise<CommandTurn> {
    const levels = await lockedLineage(tx, command.executionId);
    const ended = levels.length > 0 && (await timeOut(tx, levels, await this.reopening.placeOf(tx, levels[0]!)));
    await this.end(tx, command);
    return { moved: 1, done: true, ...(ended ? { ended: [command.executionId] } : {}) };
  }

  private async cancelWaiting(tx: Tx, command: Command): Promise<CommandTurn> {
    const { moved, running, last } = await this.waiting.page(tx, { ...command, filter: command.filter! });
    if (last === null) await this.end(tx, command);
    else await tx.query(moveCommand, [command.id, 0, last, moved]);
    return { moved, done: last === null, ended: running };
  }

  private async end(tx: Tx, command: Command): Promise<void> {
    await tx.query(endCommand, [command.id]);
  }
}
