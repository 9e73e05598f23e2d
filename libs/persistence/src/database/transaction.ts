import type pg from 'pg';
import type { Statement, Tx } from './database.js';
import { isTransient, isUnavailable } from './transient.js';

/** Wraps a client or the pool so that statements are prepared under their name. */
export function statementRunner(client: Pick<pg.Pool, 'query'> | pg.PoolClient): Tx {
  return {
    query: (statement: Statement, values: readonly unknown[] = []) =>
      client.query({ name: statement.name, text: statement.text, values: values as unknown[] }) as never,
  };
}

export interface TransactionOptions {
  /**
   * Roots whose gate the transaction passes through: shared by spawn, admission and claim, alone for pause, resume,
   * cancel and redrive. Taken first, ascending, in a statement of its own, so that what follows sees the marks.
   */
  readonly gate?: { readonly roots: readonly string[]; readonly mode: 'shared' | 'alone' };
  /** How often a deadlock or serialization failure is tried again. */
  readonly tries?: number;
}

/**
 * Runs `work` in one READ COMMITTED transaction and commits. Deadlocks, serialization failures and lock time-outs are
 * tried again with a fresh transaction; everything else, a lost connection included, is thrown after the rollback, as the
 * caller alone knows whether its work may be repeated.
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (tx: Tx) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const tries = options.tries ?? 5;
  for (let attempt = 1; ; attempt++) {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      await client.query(`begin${gateStatement(options.gate)}`);
      const result = await work(statementRunner(client));
      await client.query('commit');
      return result;
    } catch (error) {
      // a connection that lost its answer is not asked again: it is thrown away, and the server rolls back
      if (isUnavailable(error)) broken = error as Error;
      else
        try {
          await client.query('rollback');
        } catch (rollbackError) {
          broken = rollbackError as Error;
        }
      const code = (error as { code?: string }).code;
      const again = code === '40001' || code === '40P01' || code === '55P03';
      if (!again || attempt >= tries || !isTransient(error)) throw error;
    } finally {
      client.release(broken);
    }
  }
}

/** `begin` and the gate travel in one round trip; each statement of a simple query has its own snapshot. */
function gateStatement(gate: TransactionOptions['gate']): string {
  if (!gate || gate.roots.length === 0) return '';
  const lock = gate.mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  const roots = [...new Set(gate.roots)].sort();
  for (const root of roots)
    if (!/^[0-9a-f-]{36}$/.test(root)) throw new Error('a gate is named by the id of a root execution');
  return `; select ${roots.map((r) => `${lock}(hashtextextended(current_schema || '${r}', 0))`).join(', ')}`;
}
