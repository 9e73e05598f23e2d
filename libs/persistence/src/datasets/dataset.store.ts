import type { Tx } from '../database/database.js';
import { completeDataset } from './complete-dataset.sql.js';
import { deleteDataset } from './delete-dataset.sql.js';
import { discardDataset } from './discard-dataset.sql.js';
import { findDataset } from './find-dataset.sql.js';
import { chunksPerInsert, insertDatasetChunks } from './insert-dataset-chunks.sql.js';
import { insertDataset } from './insert-dataset.sql.js';
import { listDatasets } from './list-datasets.sql.js';
import { lockDataset } from './lock-dataset.sql.js';
import { readDatasetChunks } from './read-dataset-chunks.sql.js';
import { sweepAbandonedDatasets } from './sweep-abandoned-datasets.sql.js';
import { touchDatasets } from './touch-datasets.sql.js';

export type DatasetFormat = 'csv' | 'ndjson' | 'json';

export interface DatasetRow {
  readonly id: string;
  readonly name: string;
  readonly format: DatasetFormat;
  /** JSON text of the list of column names; null but for CSV. */
  readonly columns: string | null;
  readonly separator: string | null;
  readonly itemCount: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly createdAt: Date;
}

/** A run of items: their exact texts as one JSON array. */
export interface DatasetChunk {
  readonly firstIndex: number;
  readonly itemCount: number;
  readonly body: string;
}

/** Uploaded lists: written while they stream in, seen once they are complete. */
export class DatasetStore {
  async begin(
    tx: Tx,
    args: { id: string; name: string; format: DatasetFormat; separator: string | null },
  ): Promise<void> {
    await tx.query(insertDataset, [args.id, args.name, args.format, args.separator]);
  }

  /** At most {@link chunksPerInsert} chunks at once. */
  async append(tx: Tx, args: { id: string; chunks: readonly DatasetChunk[] }): Promise<void> {
    const { id, chunks } = args;
    if (chunks.length === 0) return;
    if (chunks.length > chunksPerInsert) throw new RangeError(`at most ${chunksPerInsert} chunks at once`);
    const values = chunks.flatMap((chunk) => [chunk.firstIndex, chunk.itemCount, chunk.body]);
    await tx.query(insertDatasetChunks(chunks.length), [id, ...values]);
  }

  /** Null when the upload was swept away. */
  async complete(
    tx: Tx,
    args: { id: string; columns: readonly string[] | null; itemCount: number; bytes: number; sha256: string },
  ): Promise<Date | null> {
    const columns = args.columns === null ? null : JSON.stringify(args.columns);
    const values = [args.id, columns, args.itemCount, args.bytes, args.sha256];
    return (await tx.query<{ createdAt: Date }>(completeDataset, values)).rows[0]?.createdAt ?? null;
  }

  async touch(tx: Tx, args: { ids: readonly string[] }): Promise<void> {
    await tx.query(touchDatasets, [args.ids]);
  }

  async discard(tx: Tx, args: { id: string }): Promise<void> {
    await tx.query(discardDataset, [args.id]);
  }

  async sweepAbandoned(tx: Tx, args: { untouchedFor: string; limit: number }): Promise<number> {
    return (await tx.query(sweepAbandonedDatasets, [args.untouchedFor, args.limit])).rowCount ?? 0;
  }

  async find(tx: Tx, args: { id: string }): Promise<DatasetRow | null> {
    return (await tx.query<DatasetRow>(findDataset, [args.id])).rows[0] ?? null;
  }

  async page(tx: Tx, args: { before: string | null; name: string | null; limit: number }): Promise<DatasetRow[]> {
    return (await tx.query<DatasetRow>(listDatasets, [args.before, args.name, args.limit])).rows;
  }

  async chunks(tx: Tx, args: { id: string; fromIndex: number; limit: number }): Promise<DatasetChunk[]> {
    return (await tx.query<DatasetChunk>(readDatasetChunks, [args.id, args.fromIndex, args.limit])).rows;
  }

  /** False when there is none. */
  async lock(tx: Tx, args: { id: string }): Promise<boolean> {
    return (await tx.query(lockDataset, [args.id])).rowCount === 1;
  }

  /** False when an execution refers to it. */
  async remove(tx: Tx, args: { id: string }): Promise<boolean> {
    return (await tx.query(deleteDataset, [args.id])).rowCount === 1;
  }
}
