import { childIdRange, itemIndexOf } from '@app/domain';
import type { Tx } from '../../database/database.js';
import { outputNodesOf, outputOf, type OutputNodes } from '../output-nodes.js';
import type { PlanSource } from '../plan-source.js';
import { fanOutOfSpawner } from './fan-out-of-spawner.sql.js';
import { resultPage } from './result-page.sql.js';

export interface ResultSource {
  readonly id: number;
  readonly rootId: string;
  readonly outputs: OutputNodes;
}

const pageSize = 2_000;

/** Results of a fan-out's children, streamed in item order by range, so that memory stays flat at any size. */
export class ResultStore {
  constructor(private readonly plans: PlanSource) {}

  /** The latest generation of a spawner's fan-out; null when it has none. */
  async fanOutOf(db: Tx, parentId: string, spawner: number): Promise<ResultSource | null> {
    const { rows } = await db.query<{ id: number; root_id: string; child_version_id: number; child_path: number[] }>(
      fanOutOfSpawner,
      [parentId, spawner],
    );
    const r = rows[0];
    if (!r) return null;
    const { plan } = await this.plans.at(db, r.child_version_id, r.child_path);
    return { id: r.id, rootId: r.root_id, outputs: outputNodesOf(plan) };
  }

  /** JSON texts `{"index", "key", "output"}` of children in the given states. */
  async *stream(db: Tx, source: ResultSource, states: readonly string[]): AsyncGenerator<string> {
    const [first, last] = childIdRange(source.rootId, source.id);
    for (let from = first; ;) {
      const { rows } = await db.query(resultPage, [from, last, states, source.outputs.nodes, pageSize]);
      for (const r of rows)
        yield resultText(
          r,
          outputOf(source.outputs, r.nodes as number[] | null, r.outputs as (string | null)[] | null),
        );
      if (rows.length < pageSize) return;
      from = nextId(rows.at(-1)!.id as string);
    }
  }
}

function resultText(r: Record<string, unknown>, output: string | null): string {
  const key = r.item_key === null ? 'null' : JSON.stringify(r.item_key);
  return `{"index":${itemIndexOf(r.id as string)},"key":${key},"output":${output ?? 'null'}}`;
}

function nextId(id: string): string {
  return id.slice(0, -8) + (itemIndexOf(id) + 1).toString(16).padStart(8, '0');
}
