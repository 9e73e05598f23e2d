import type { Tx } from '../../database/database.js';
import type { Decided } from '../settlement/decided.js';
import { takeSignals } from './take-signals.sql.js';

/** The signals that decided nodes took, in the transaction that decides: each is consumed once. */
export async function consumeSignals(tx: Tx, done: readonly Decided[]): Promise<void> {
  const ids = done.flatMap((d) => d.decision.signals);
  if (ids.length === 0) return;
  const { rows } = await tx.query<{ taken: number }>(takeSignals, [ids]);
  if (rows[0]!.taken !== ids.length) throw new Error(`${ids.length} signals were to be taken, ${rows[0]!.taken} were`);
}
