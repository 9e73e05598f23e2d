import type { NoticeOutcome, Plan } from '@app/domain';
import type { Tx } from '../database/database.js';
import { setRetention } from '../execution-path/settlement/set-retention.sql.js';
import { noteOutcomes } from '../notices/note-outcomes.js';
import type { LineageLevel } from './lineage.js';

/**
 * What goes with every end that a control move makes, whichever it is: at the top there is a notice of it, and the execution is kept
 * for as long as one that failed. Children have neither.
 * @param whole the plan of its version
 */
export async function endedFromOutside(
  tx: Tx,
  { id, fanOut }: LineageLevel,
  whole: Plan,
  outcome: Extract<NoticeOutcome, 'CANCELLED' | 'FAILED'>,
): Promise<void> {
  if (fanOut) return;
  await noteOutcomes(tx, [{ id, plan: whole, outcome }]);
  const { failedMs } = whole.retention;
  if (failedMs !== null) await tx.query(setRetention, [[id], [failedMs]]);
}
