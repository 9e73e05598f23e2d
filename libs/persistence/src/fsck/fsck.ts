import type { Tx } from '../database/database.js';
import { invariantChecks } from './invariants.sql.js';

export interface Breach {
  readonly invariant: string;
  readonly promise: string;
  /** What it is about: an execution, a fan-out, a task. */
  readonly subject: string;
  readonly problem: string;
}

const maxPerCheck = 20;

/** Checks the invariants I1 to I6 over the whole schema. @returns what it found; at most 20 breaches of each kind */
export async function fsck(db: Tx): Promise<Breach[]> {
  const breaches: Breach[] = [];
  for (const { invariant, promise, statement } of invariantChecks) {
    const { rows } = await db.query<{ subject: string; problem: string }>({
      ...statement,
      text: `${statement.text}\nlimit ${maxPerCheck}`,
    });
    breaches.push(...rows.map((r) => ({ invariant, promise, ...r })));
  }
  return breaches;
}
