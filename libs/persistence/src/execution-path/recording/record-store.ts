import type { HandoutMessage, RecordedMessage, RecordedNodes } from '@app/contracts/messages/envelopes.js';
import type { Outcome } from '@app/domain';
import type { Tx } from '../../database/database.js';
import { handoutMessage } from '../admission/admission-store.js';
import { addLogLines } from './add-log-lines.sql.js';
import { handBackTasks } from './hand-back-tasks.sql.js';
import { noteRejected } from './note-rejected.sql.js';
import { recordOutcomes } from './record-outcomes.sql.js';
import { takeWaiting } from './take-waiting.sql.js';

export interface RecordedOutcomeRow {
  readonly executionId: string;
  readonly node: number;
  readonly fencingToken: number;
  readonly outcome: Outcome;
  /** A success that settles a child of one node. */
  readonly plain: boolean;
  /** The version of its pipeline, if the execution is a top-level one. */
  readonly topLevelVersion: number | null;
}

export interface Recorded {
  /** None: nothing was accepted. */
  readonly batches: readonly RecordedMessage[];
  readonly rejected: readonly RecordedOutcomeRow[];
  /** Destinations that were let go. */
  readonly freed: readonly number[];
}

/** One claim of one task. */
export interface ClaimName {
  readonly executionId: string;
  readonly node: number;
  readonly fencingToken: number;
}

export interface LogLine {
  readonly executionId: string;
  readonly node: number;
  readonly attempt: number;
  readonly at: number;
  readonly level: string;
  readonly message: string;
  readonly fields: string | null;
}

/** Moves of recording: running -> recorded, guarded by fencing token, incarnation and state. */
export class RecordStore {
  /**
   * @param finished claim batches of which nothing runs any more
   * @param holders calls that held destinations, and have ended
   */
  async record(
    tx: Tx,
    incarnation: number,
    rows: readonly RecordedOutcomeRow[],
    finished: readonly number[],
    holders: readonly { readonly batchId: number; readonly executionId: string }[],
  ): Promise<Recorded> {
    const result = await tx.query(recordOutcomes, [
      incarnation,
      rows.map((r) => r.executionId),
      rows.map((r) => r.node),
      rows.map((r) => r.fencingToken),
      rows.map((r) => r.outcome.kind),
      rows.map((r) => (r.outcome.kind === 'succeeded' ? r.outcome.output : null)),
      rows.map((r) => ('error' in r.outcome ? JSON.stringify(r.outcome.error) : null)),
      rows.map((r) => (r.outcome.kind === 'snoozed' ? r.outcome.waitMs : null)),
      finished,
      rows.map((r) => r.plain),
      holders.map((h) => h.batchId),
      holders.map((h) => h.executionId),
    ]);
    const r = result.rows[0]!;
    const batches: RecordedMessage[] = [];
    if (r.plain_id !== null) batches.push({ batch: r.plain_id as number, plain: true });
    if (r.batch_id !== null) batches.push({ batch: r.batch_id as number, plain: false, of: ofOne(rows) });
    const freed = (r.freed as number[] | null) ?? [];
    if ((r.recorded as number) === rows.length) return { batches, rejected: [], freed };
    const accepted = new Set((r.accepted as string[] | null) ?? []);
    return {
      batches,
      freed,
      rejected: rows.filter((row) => !accepted.has(`${row.executionId}/${row.node}`)),
    };
  }

  /**
   * Hand-outs that waited for these destinations, oldest first.
   * @param open the caller knows that they may be called; else those that have to be left alone keep what waits for them
   */
  async takeWaiting(
    db: Tx,
    destinations: readonly number[],
    most: number,
    queues: readonly string[] | null,
    open = false,
  ): Promise<HandoutMessage[]> {
    const { rows } = await db.query(takeWaiting, [destinations, most, queues, open]);
    return rows.map((r) => handoutMessage(r, r.range as boolean));
  }

  async noteRejected(tx: Tx, incarnation: number, rows: readonly RecordedOutcomeRow[]): Promise<void> {
    await tx.query(noteRejected, [
      rows.map((r) => r.executionId),
      rows.map((r) => r.node),
      rows.map((r) => r.fencingToken),
      incarnation,
    ]);
  }

  async addLogLines(db: Tx, lines: readonly LogLine[]): Promise<void> {
    if (lines.length === 0) return;
    await db.query(addLogLines, [
      lines.map((l) => l.executionId),
      lines.map((l) => l.node),
      lines.map((l) => l.attempt),
      lines.map((l) => new Date(l.at)),
      lines.map((l) => l.level),
      lines.map((l) => l.message),
      lines.map((l) => l.fields),
    ]);
  }

  /** Hands tasks back uncharged: they were claimed, and nothing performs them. @returns the recorded batch */
  async handBack(tx: Tx, incarnation: number, tasks: readonly ClaimName[]): Promise<number | null> {
    const { rows } = await tx.query<{ batch_id: number | null }>(handBackTasks, [
      incarnation,
      tasks.map((t) => t.executionId),
      tasks.map((t) => t.node),
      tasks.map((t) => t.fencingToken),
    ]);
    return rows[0]?.batch_id ?? null;
  }
}

function ofOne(rows: readonly RecordedOutcomeRow[]): RecordedNodes | undefined {
  const { executionId: id, topLevelVersion: version } = rows[0]!;
  if (version === null || rows.some((r) => r.executionId !== id)) return undefined;
  return { id, version, nodes: rows.map((r) => r.node) };
}
