import { sliceElements } from '@app/domain';
import { inTransaction } from '../database/transaction.js';
import type { Database, Tx } from '../database/database.js';
import { claimLookups } from './claim-lookups.sql.js';
import { dropFrozenBatch } from './drop-frozen-batch.sql.js';
import { endLookup } from './end-lookup.sql.js';
import { findDueLookups } from './find-due-lookups.sql.js';
import { findEndedLookups } from './find-ended-lookups.sql.js';
import { frozenAnswers } from './frozen-answers.sql.js';
import { frozenBatchAt } from './frozen-batch-at.sql.js';
import { planFrozenBatches } from './plan-frozen-batches.sql.js';
import { useFrozenBatch } from './use-frozen-batch.sql.js';

/** A look-up for a batch of items, as its spawner sees it. */
export interface FrozenBatch {
  readonly firstIndex: number;
  readonly itemCount: number;
  readonly state: 'pending' | 'running' | 'answered' | 'failed' | 'used';
  /** JSON text. */
  readonly answer: string | null;
  /** JSON text of a failure. */
  readonly error: string | null;
}

export interface ClaimedLookup {
  readonly fanOutId: number;
  readonly firstIndex: number;
  readonly itemCount: number;
  readonly attempt: number;
  readonly charged: number;
  /** Position of the spawner. */
  readonly node: number;
  readonly listId: string;
  readonly rootId: string;
  /** The execution that spawns, and the one above it. */
  readonly parentId: string;
  readonly grandparentId: string | null;
  readonly versionId: number;
  readonly path: readonly number[];
  readonly input: string;
  readonly labels: string;
}

/** What becomes of a look-up after an attempt. */
export type LookupEnd =
  | { readonly state: 'answered'; readonly answer: string }
  | { readonly state: 'failed'; readonly charged: number; readonly error: string }
  | { readonly state: 'pending'; readonly charged: number; readonly waitMs: number; readonly error: string | null };

/** What is looked up for items before their children are there: one row for a batch. */
export class FrozenInputStore {
  async plan(
    db: Tx,
    args: {
      fanOut: number;
      batches: readonly Pick<FrozenBatch, 'firstIndex' | 'itemCount'>[];
      queue: string;
      handler: string | null;
    },
  ): Promise<void> {
    const { fanOut, batches, queue, handler } = args;
    const firsts = batches.map((b) => b.firstIndex);
    await db.query(planFrozenBatches, [fanOut, firsts, batches.map((b) => b.itemCount), queue, handler]);
  }

  async at(db: Tx, fanOut: number, index: number): Promise<FrozenBatch | null> {
    return ((await db.query(frozenBatchAt, [fanOut, index])).rows[0] as unknown as FrozenBatch) ?? null;
  }

  async use(tx: Tx, fanOut: number, firstIndex: number, answer: string): Promise<void> {
    await tx.query(useFrozenBatch, [fanOut, firstIndex, answer]);
  }

  async drop(db: Tx, fanOut: number, firstIndex: number): Promise<void> {
    await db.query(dropFrozenBatch, [fanOut, firstIndex]);
  }

  /** Fan-outs whose spawner may go on, within its lead. */
  async ended(db: Tx, most: number, lead: number): Promise<number[]> {
    return (await db.query<{ id: number }>(findEndedLookups, [most, lead])).rows.map((r) => r.id);
  }

  /** Behind the gates of the roots, so that none begins after a pause or cancel was answered. */
  async claim(
    database: Database,
    args: { most: number; queues: readonly string[]; handlers: readonly string[]; forMs: number },
  ): Promise<ClaimedLookup[]> {
    const { most, queues, handlers, forMs } = args;
    const due = (
      await database.any.query<{ fanOutId: number; firstIndex: number; rootId: string }>(findDueLookups, [
        most,
        queues,
        handlers,
      ])
    ).rows;
    if (due.length === 0) return [];
    return inTransaction(
      database.pool,
      async (tx) =>
        (await tx.query(claimLookups, [due.map((d) => d.fanOutId), due.map((d) => d.firstIndex), forMs]))
          .rows as unknown as ClaimedLookup[],
      { gate: { roots: due.map((d) => d.rootId), mode: 'shared' } },
    );
  }

  /** False: the claim is no longer the newest, and nothing changed. */
  async end(db: Tx, lookup: ClaimedLookup, end: LookupEnd): Promise<boolean> {
    const { rowCount } = await db.query(endLookup, [
      lookup.fanOutId,
      lookup.firstIndex,
      lookup.attempt,
      end.state,
      end.state === 'answered' ? lookup.charged : end.charged,
      end.state === 'pending' ? end.waitMs : 0,
      end.state === 'answered' ? end.answer : null,
      end.state === 'answered' ? null : end.error,
    ]);
    return rowCount === 1;
  }

  /** What was looked up for items of a fan-out, as exact JSON text, by item index. */
  async values(db: Tx, fanOut: number, indexes: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const wanted = new Set(indexes);
    const values = new Map<number, string>();
    const { rows } = await db.query<{ firstIndex: number; answer: string }>(frozenAnswers, [fanOut, indexes]);
    for (const { firstIndex, answer } of rows) {
      let index = firstIndex;
      for (const value of sliceElements(answer)) {
        if (wanted.has(index)) values.set(index, value);
        index++;
      }
    }
    return values;
  }
}
