import { fingerprint, isTerminal, type FailureDetail } from '@app/domain';
import type { Tx } from '../database/database.js';
import { holdDeadline } from '../execution-path/timers/hold-deadline.sql.js';
import { addCommand } from './add-command.sql.js';
import { deadlineOf } from './deadline-of.sql.js';
import { endedFromOutside } from './ended-from-outside.js';
import { failExecution } from './fail-execution.sql.js';
import type { LineageLevel } from './lineage.js';
import { markAbove } from './mark-above.sql.js';
import { putMark } from './put-mark.sql.js';
import type { Place } from './reopening.js';

/**
 * An execution whose deadline has passed fails, with the gate of its root held alone. Behind the mark nothing below it
 * starts any more; what is open there is cancelled by a command. One that settled, or runs again with a new deadline, is left
 * alone; under a pause it waits for the resume.
 * @param levels the execution and those above it, locked
 * @returns whether it failed
 */
export async function timeOut(tx: Tx, levels: readonly LineageLevel[], place: Place): Promise<boolean> {
  const self = levels[0]!;
  const { rows } = await tx.query<{ passed: boolean | null }>(deadlineOf, [self.id]);
  if (isTerminal(self.state) || !rows[0]?.passed) return false;
  const held = await tx.query<{ mark: string | null }>(markAbove, [self.id]);
  if (held.rows[0]!.mark === 'pause') {
    await tx.query(holdDeadline, [self.id, place.rootId]);
    return false;
  }
  const { timeoutMs } = place.at.plan;
  const failure: FailureDetail = {
    class: 'TIMEOUT',
    code: 'EXECUTION.TIMED_OUT',
    message: `the execution did not end within its ${timeoutMs} ms`,
  };
  await tx.query(failExecution, [self.id, JSON.stringify(failure), fingerprint(failure)]);
  await endedFromOutside(tx, self, place.at.whole, 'FAILED');
  await tx.query(putMark, [self.id, place.rootId, 'cancel', true, self.state, 'TIMEOUT']);
  await tx.query(addCommand, ['cancel', self.id, place.rootId, null, null, null, 0]);
  return true;
}
