import { childIdRange, itemIndexOf } from '@app/domain';
import type { Tx } from '../../database/database.js';
import { fanOutOfSpawner, resultPage } from './results.sql.js';

export interface ResultSource {
  readonly id: number;
  readonly rootId: string;
  readonly outputNode: number;
}

const pageSize = 2_000;

/** Results of a fan-out's children, streamed in item order by range, so that memory stays flat at any size. */
export class ResultStore {
  /** The latest generation of a spawner's fan-out; null when it has none. */
  async fanOutOf(db: Tx, parentId: string, spawner: number): Promise<ResultSource | null> {
    const { rows } = await db.query<{ id: number; root_id: string }>(fanOutOfSpawner, [parentId, spawner]);
    return rows[0] ? { id: rows[0].id, rootId: rows[0].root_id, outputNode: 0 } : null;
  }

  /** JSON texts `{"index", "key", "output"}` of children in the given states. */
  async *stream(db: Tx, source: ResultSource, states: readonly string[]): AsyncGenerator<string> {
    const [first, last] = childIdRange(source.rootId, source.id);
    for (let from = first; ; ) {
      const { rows } = await db.query(resultPage, [from, last, states, source.outputNode, pageSize]);
      for (const r of rows)
        yield `{"index":${itemIndexOf(r.id as string)},"key":${r.item_key === null ? 'null' : JSON.stringify(r.item_key)},"output":${r.output ?? 'null'}}`;
      if (rows.length < pageSize) return;
      from = nextId(rows.at(-1)!.id as string);
    }
  }
}

function nextId(id: string): string {
  return id.slice(0, -8) + (itemIndexOf(id) + 1).toString(16).padStart(8, '0');
}
