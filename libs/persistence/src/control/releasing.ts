import { isTerminal } from '@app/domain';
import type { Tx } from '../database/database.js';
import { addFacts } from './add-facts.sql.js';
import { ancestorCancelled, illegal, type ControlAnswer, type ControlRefusal } from './control-answer.js';
import { dropNeedlessReleases } from './drop-needless-releases.sql.js';
import { cancelledAbove, heldFromAbove, type LineageLevel } from './lineage.js';
import { leaveHandouts } from './leave-handouts.sql.js';
import type { Pausing } from './pausing.js';
import { putMark } from './put-mark.sql.js';
import { removeMark } from './remove-mark.sql.js';
import { resumeExecution } from './resume-execution.sql.js';
import { stoppedRollout } from './stopped-rollout.sql.js';
import { tasksOf } from './tasks-of.sql.js';
import { takeBackExecution } from './take-back-execution.sql.js';
import { wakeBelow } from './wake-below.sql.js';

const stopped: ControlRefusal = {
  ...illegal('released', 'paused'),
  detail: 'a rollout of this execution has stopped: resume accepts its stage and goes on',
};

/**
 * Releasing one child from a pause above it, with the gate of its root held alone. Its own mark ends the look upwards, so it and all
 * below it run while everything else stays where it is. What was handed out together with others leaves them, and is
 * admitted again by itself. One that is paused by itself, with nothing above, is resumed. The mark goes with the pause, with a retry or
 * redrive of the child, and with a new pause above.
 *
 * @param levels the execution and those above it, locked
 */
export async function release(tx: Tx, levels: readonly LineageLevel[], pausing: Pausing): Promise<ControlAnswer> {
  const self = levels[0]!;
  const { id } = self;
  const root = levels.at(-1)!.id;
  if (isTerminal(self.state)) return illegal('released', self.state);
  const cancelled = cancelledAbove(levels);
  if (cancelled !== null) return ancestorCancelled(cancelled);
  const above = await heldFromAbove(tx, self);
  const isPaused = self.state === 'paused';
  if ((above === null || self.mark === 'release') && !isPaused) return illegal('released', self.state);
  if (isPaused && (await tx.query(stoppedRollout, [id])).rows.length > 0) return stopped;
  let started = self.state === 'running';
  if (isPaused) {
    started = (await tx.query<{ from_state: string }>(removeMark, [id])).rows[0]?.from_state === 'running';
    await tx.query(resumeExecution, [id, started]);
    await tx.query(dropNeedlessReleases, [root]);
  } else await tx.query(addFacts, [[id], ['released'], [null], ['{"released":true}']]);
  if (above === 'pause') await tx.query(putMark, [id, root, 'release', true, started ? 'running' : 'pending', null]);
  if (self.fanOut) await tx.query(leaveHandouts, [self.fanOut.id, id]);
  const isLaidOut = ((await tx.query(tasksOf, [[id]])).rowCount ?? 0) > 0;
  if (self.state === 'ready' && isLaidOut) {
    await tx.query(takeBackExecution, [id]);
    await pausing.takeBack(tx, self, 'ready');
  } else if (self.state !== 'ready') await pausing.takeBack(tx, self, started ? 'running' : 'pending');
  await tx.query(wakeBelow, [root]);
  return { ok: true };
}
