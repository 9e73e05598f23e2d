import type { HandoutMessage } from '@app/contracts/messages/envelopes.js';
import type { NewAuditEntry } from '../access/audit.store.js';
import type { Tx } from '../database/database.js';
import { handoutMessage } from '../execution-path/admission/admission-store.js';
import { destinationsOf, ownLimits, simpleStart, type VersionedPlan } from '../execution-path/plan-source.js';
import { claimOpenKey } from './claim-open-key.sql.js';
import { findOpenKey } from './find-open-key.sql.js';
import { insertExecution } from './insert-execution.sql.js';
import { startAtOnce } from './start-at-once.sql.js';

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

export interface StartedAtOnce {
  readonly createdAt: Date;
  /** Of its first task; null: it waits in intake. */
  readonly handout: HandoutMessage | null;
}

/** The birth of a top-level execution. */
export class ExecutionStartStore {
  async insert(tx: Tx, execution: NewExecution): Promise<Date> {
    return (await tx.query<{ createdAt: Date }>(insertExecution, columnsOf(execution))).rows[0]!.createdAt;
  }

  /**
   * In a transaction of its own.
   * @param window the smallest window of a queue
   * @param audit who starts it
   * @returns null: that version is not the newest, the pipeline takes none, or a quota is to be asked
   */
  async startAtOnce(
    db: Tx,
    execution: NewExecution,
    at: VersionedPlan,
    window: number,
    audit: NewAuditEntry,
  ): Promise<StartedAtOnce | null> {
    const first = simpleStart(at.plan);
    const begins = first !== null && ownLimits(at, first).length === 0 ? first : null;
    const { rows } = await db.query<Record<string, unknown> & { createdAt: Date }>(startAtOnce, [
      ...columnsOf(execution),
      at.name,
      at.version,
      begins?.queue ?? null,
      begins?.index ?? null,
      begins ? destinationsOf(at, begins) : [],
      window,
      audit.actor,
      audit.action,
      audit.target,
      audit.data,
    ]);
    const row = rows[0];
    return row ? { createdAt: row.createdAt, handout: row.id === null ? null : handoutMessage(row, false) } : null;
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

const columnsOf = (execution: NewExecution) => [
  execution.id,
  execution.versionId,
  execution.priority,
  execution.input,
  execution.labels,
  execution.traceId,
  execution.key,
  execution.timeoutMs === null ? null : `${execution.timeoutMs} milliseconds`,
];
