import { isTerminal } from '@app/domain';
import type { Tx } from '../database/database.js';
import type { FanOutFactSource } from '../execution-path/fan-out-facts.js';
import { destinationsOf, simpleStart, type PlanSource } from '../execution-path/plan-source.js';
import { closeOpened } from './close-opened.sql.js';
import { dropReleasesBelow } from './drop-releases-below.sql.js';
import { illegal, type ControlAnswer } from './control-answer.js';
import { openBelow, type LineageLevel } from './lineage.js';
import { pauseExecution } from './pause-execution.sql.js';
import { putComeback } from './put-comeback.sql.js';
import { putIntake } from './put-intake.sql.js';
import { putMark } from './put-mark.sql.js';
import { takeBackReady } from './take-back-ready.sql.js';
import { tasksOf } from './tasks-of.sql.js';

/** Why an execution is paused whose rollout failed a stage. */
export const ROLLOUT_STOPPED = 'ROLLOUT_STOPPED';

/** Pausing one execution, with the gate of its root held alone: an operator does it, or a rollout that stopped. */
export class Pausing {
  constructor(
    private readonly plans: PlanSource,
    private readonly facts: FanOutFactSource,
  ) {}

  /**
   * @param levels the execution and those above it, locked
   * @param reason why, where no operator did it
   */
  async pause(
    tx: Tx,
    levels: readonly LineageLevel[],
    cascade: boolean,
    reason: string | null,
  ): Promise<ControlAnswer> {
    const self = levels[0]!;
    const { id } = self;
    const root = levels.at(-1)!.id;
    if (self.state === 'paused' || self.mark === 'cancel') return illegal('paused', self.state);
    if (cascade) await tx.query(dropReleasesBelow, [root, id, 0]);
    if (isTerminal(self.state)) {
      if (!cascade || !(await openBelow(tx, id, root))) return illegal('paused', self.state);
      await tx.query(putMark, [id, root, 'pause', true, self.state, reason]);
      return { ok: true };
    }
    const { rows } = await tx.query<{ from_state: string; fan_out_id: number | null }>(pauseExecution, [id]);
    await tx.query(putMark, [id, root, 'pause', cascade, rows[0]!.from_state, reason]);
    await this.takeBack(tx, self, rows[0]!.from_state);
    return { ok: true };
  }

  /** What of it is handed out and not begun is to be admitted again. @param from the state it was in */
  async takeBack(tx: Tx, self: LineageLevel, from: string): Promise<void> {
    const facts = self.fanOut ? (await this.facts.of(tx, [self.fanOut.id])).get(self.fanOut.id)! : null;
    const at = await this.plans.at(tx, self.versionId, facts?.childPath ?? []);
    const back = (await tx.query<{ node: number }>(takeBackReady, [self.id])).rows.map((r) => r.node);
    const waiting = (await tx.query<{ node: number; state: string }>(tasksOf, [[self.id]])).rows;
    const start = simpleStart(at.plan);
    if (waiting.length === 0 && self.fanOut && start && from === 'pending') back.push(start.index);
    if (waiting.length === 0 && !start && from === 'pending') await tx.query(putIntake, [[self.id]]);
    if (from === 'ready' && self.fanOut) await tx.query(closeOpened, [self.fanOut.id]);
    if (back.length === 0) return;
    const rows = back.map((n) => ({
      execution_id: self.id,
      node: n,
      queue: at.plan.nodes[n]!.queue,
      root_id: facts?.rootId ?? self.id,
      parent_id: facts?.parentId ?? null,
      fan_out_id: self.fanOut?.id ?? null,
      version_id: at.versionId,
      child_path: at.path,
      child: from !== 'running',
      destinations: destinationsOf(at, at.plan.nodes[n]!),
      critical_path: at.plan.nodes[n]!.criticalPath,
    }));
    await tx.query(putComeback, [JSON.stringify(rows)]);
  }
}
