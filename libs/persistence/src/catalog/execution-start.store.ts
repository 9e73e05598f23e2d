import type { Tx } from '../database/database.js';
import { claimOpenKey } from './claim-open-key.sql.js';
import { findOpenKey } from './find-open-key.sql.js';
import { insertExecution } from './insert-execution.sql.js';

export interface NewExecution {
  readonly id: string;
  readonly versionId: number;
  readonly priority: number;
  /** Exact JSON text. */
  readonly input: string;
  readonly labels: string | null;
  readonly traceId: string;
  readonly key: string | null;
  readonly timeoutMs: number | null;
}

/** The birth of a top-level execution. */
export class ExecutionStartStore {
  async insert(tx: Tx, execution: NewExecution): Promise<Date> {
    const deadline = execution.timeoutMs === null ? null : `${execution.timeoutMs} milliseconds`;
    const { rows } = await tx.query<{ createdAt: Date }>(insertExecution, [
      execution.id,
      execution.versionId,
      execution.priority,
      execution.input,
      execution.labels,
      execution.traceId,
      execution.key,
      deadline,
    ]);
    return rows[0]!.createdAt;
  }

  /** False when an open execution of the pipeline holds the key. */
  async claimKey(tx: Tx, args: { pipeline: string; keyHash: Buffer; executionId: string }): Promise<boolean> {
    return (await tx.query(claimOpenKey, [args.pipeline, args.keyHash, args.executionId])).rowCount === 1;
  }

  async keyHolder(tx: Tx, args: { pipeline: string; keyHash: Buffer }): Promise<string | null> {
    const { rows } = await tx.query<{ executionId: string }>(findOpenKey, [args.pipeline, args.keyHash]);
    return rows[0]?.executionId ?? null;
  }
}
