import { childId, childIdPrefix } from '@app/domain';
import type { Tx } from '../../database/database.js';
import { dropList } from './drop-list.sql.js';
import { failFanOut } from './fail-fan-out.sql.js';
import { fanOutToSpawn } from './fan-out-to-spawn.sql.js';
import { findRestingFanOuts } from './find-resting-fan-outs.sql.js';
import { freezeList } from './freeze-list.sql.js';
import { lockFanOutToSpawn } from './lock-fan-out-to-spawn.sql.js';
import { lockUnjudged } from './lock-unjudged.sql.js';
import { noteWithinQuota } from './note-within-quota.sql.js';
import { sealFanOut } from './seal-fan-out.sql.js';
import { touchFanOut } from './touch-fan-out.sql.js';
import { addChunks } from './add-chunks.sql.js';
import { chunkAt } from './chunk-at.sql.js';
import { chunkBorders } from './chunk-borders.sql.js';
import { claimKeys } from './claim-keys.sql.js';
import { createList } from './create-list.sql.js';
import { findCompleteDataset } from './find-complete-dataset.sql.js';
import { keysChecked } from './keys-checked.sql.js';
import { useDataset } from './use-dataset.sql.js';
import { spawnChildren } from './spawn-children.sql.js';
import { spawnChunk } from './spawn-chunk.sql.js';

export interface FanOutToSpawn {
  readonly id: number;
  readonly parentId: string;
  readonly rootId: string;
  readonly node: number;
  readonly priority: number;
  readonly childVersionId: number;
  readonly total: number | null;
  readonly listId: string | null;
  readonly listFrozen: boolean;
  readonly keyed: boolean;
  readonly keysChecked: boolean;
  readonly spawned: number;
  readonly admitted: number;
  readonly withinQuota: boolean;
  readonly deferredUntil: Date | null;
  readonly parentVersionId: number;
  readonly parentFanOutId: number | null;
  readonly mark: 'pause' | 'cancel' | null;
}

export interface Chunk {
  readonly firstIndex: number;
  readonly itemCount: number;
  readonly body: string;
}

export interface Child {
  readonly itemIndex: number;
  readonly input: string;
  readonly item: string | null;
  readonly itemKey: string | null;
}

/** Moves of a spawner: freeze the list, spawn batches at the cursor, seal. */
export class SpawnStore {
  /** Null: nothing is left to spawn. */
  async find(db: Tx, fanOut: number): Promise<FanOutToSpawn | null> {
    return toFanOut((await db.query(fanOutToSpawn, [fanOut])).rows[0]);
  }

  /** Null: nothing is left to spawn, or somebody else is spawning. */
  async lock(tx: Tx, fanOut: number): Promise<FanOutToSpawn | null> {
    return toFanOut((await tx.query(lockFanOutToSpawn, [fanOut])).rows[0]);
  }

  async resting(db: Tx, ageMs: number, most: number, lead: number): Promise<number[]> {
    return (await db.query<{ id: number }>(findRestingFanOuts, [ageMs, most, lead])).rows.map((r) => r.id);
  }

  /** @returns false when somebody else has frozen the list before */
  async freeze(tx: Tx, fanOut: number, list: string, total: number | null, complete: boolean): Promise<boolean> {
    return (await tx.query(freezeList, [fanOut, list, total, complete])).rowCount === 1;
  }

  async createList(tx: Tx, id: string, name: string, itemCount: number, complete: boolean): Promise<void> {
    await tx.query(createList, [id, name, itemCount, complete]);
  }

  /** A list that nobody uses. */
  async dropList(tx: Tx, list: string): Promise<void> {
    await tx.query(dropList, [list]);
  }

  async addChunks(tx: Tx, list: string, chunks: readonly Chunk[]): Promise<void> {
    await tx.query(addChunks, [
      list,
      chunks.map((c) => c.firstIndex),
      chunks.map((c) => c.itemCount),
      chunks.map((c) => c.body),
    ]);
  }

  async dataset(db: Tx, id: string): Promise<{ id: string; itemCount: number } | null> {
    const { rows } = await db.query<{ id: string; item_count: number }>(findCompleteDataset, [id]);
    return rows[0] ? { id: rows[0].id, itemCount: rows[0].item_count } : null;
  }

  async useDataset(tx: Tx, dataset: string, root: string): Promise<void> {
    await tx.query(useDataset, [dataset, root]);
  }

  async chunkAt(db: Tx, list: string, index: number): Promise<Chunk | null> {
    const { rows } = await db.query(chunkAt, [list, index]);
    const r = rows[0];
    if (!r || index >= (r.first_index as number) + (r.item_count as number)) return null;
    return { firstIndex: r.first_index as number, itemCount: r.item_count as number, body: r.body as string };
  }

  async chunkBorders(
    db: Tx,
    list: string,
    index: number,
    most: number,
  ): Promise<{ firstIndex: number; itemCount: number }[]> {
    const { rows } = await db.query<{ first_index: number; item_count: number }>(chunkBorders, [list, index, most]);
    return rows.map((r) => ({ firstIndex: r.first_index, itemCount: r.item_count }));
  }

  /** @returns the first two positions with an equal key, null when all are unique so far */
  async claimKeys(
    db: Tx,
    fanOut: number,
    hashes: readonly Buffer[],
    indexes: readonly number[],
  ): Promise<{ first: number; second: number } | null> {
    const { rows } = await db.query<{ first_index: number; second_index: number }>(claimKeys, [
      fanOut,
      hashes,
      indexes,
    ]);
    const r = rows[0];
    return r
      ? { first: Math.min(r.first_index, r.second_index), second: Math.max(r.first_index, r.second_index) }
      : null;
  }

  async keysChecked(db: Tx, fanOut: number): Promise<void> {
    await db.query(keysChecked, [fanOut]);
  }

  /** Spawns items of one frozen chunk as they are. @returns the new cursor */
  async spawnChunk(tx: Tx, f: FanOutToSpawn, firstIndex: number, cursor: number, most: number): Promise<number> {
    const { rows } = await tx.query<{ spawned: number }>(spawnChunk, [
      f.id,
      childIdPrefix(f.rootId, f.id),
      f.listId,
      firstIndex,
      f.childVersionId,
      f.priority,
      cursor,
      most,
    ]);
    if (!rows[0]) throw new Error(`fan-out ${f.id} was moved while its control row was locked`);
    return rows[0].spawned;
  }

  /** Spawns children whose input was computed. @returns the new cursor */
  async spawn(tx: Tx, f: FanOutToSpawn, children: readonly Child[], cursor: number): Promise<number> {
    const { rows } = await tx.query<{ spawned: number }>(spawnChildren, [
      f.id,
      children.map((c) => childId(f.rootId, f.id, c.itemIndex)),
      children.map((c) => c.input),
      children.map((c) => c.item),
      children.map((c) => c.itemKey),
      f.childVersionId,
      f.priority,
      cursor,
    ]);
    if (!rows[0]) throw new Error(`fan-out ${f.id} was moved while its control row was locked`);
    return rows[0].spawned;
  }

  async seal(tx: Tx, fanOut: number, total: number): Promise<boolean> {
    return (await tx.query(sealFanOut, [fanOut, total])).rowCount === 1;
  }

  /** @returns whether the fan-out has not begun, and nobody has found it to be within its quota; its control row is then locked */
  async lockUnjudged(tx: Tx, fanOut: number): Promise<boolean> {
    return (await tx.query(lockUnjudged, [fanOut])).rowCount === 1;
  }

  /** All of its children count from now on. */
  async noteWithinQuota(tx: Tx, fanOut: number): Promise<void> {
    await tx.query(noteWithinQuota, [fanOut]);
  }

  async fail(tx: Tx, fanOut: number, reason: string): Promise<void> {
    await tx.query(failFanOut, [fanOut, reason]);
  }

  async touch(db: Tx, fanOut: number): Promise<void> {
    await db.query(touchFanOut, [fanOut]);
  }
}

function toFanOut(r: Record<string, unknown> | undefined): FanOutToSpawn | null {
  if (!r) return null;
  return {
    id: r.id as number,
    parentId: r.parent_id as string,
    rootId: r.root_id as string,
    node: r.node as number,
    priority: r.priority as number,
    childVersionId: r.child_version_id as number,
    total: r.total as number | null,
    listId: r.list_id as string | null,
    listFrozen: r.list_frozen as boolean,
    keyed: r.keyed as boolean,
    keysChecked: r.keys_checked as boolean,
    spawned: r.spawned as number,
    admitted: r.admitted as number,
    withinQuota: r.within_quota as boolean,
    deferredUntil: r.deferred_until as Date | null,
    parentVersionId: r.parent_version_id as number,
    parentFanOutId: r.parent_fan_out_id as number | null,
    mark: r.mark as FanOutToSpawn['mark'],
  };
}
