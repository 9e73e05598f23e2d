import { itemIndexOf, nodeById, upstreamReads, type Plan, type PlannedNode, type Scope } from '@app/domain';
import type { Tx } from '../../database/database.js';
import { loadParent } from './load-parent.sql.js';
import { loadParentOutputs } from './load-parent-outputs.sql.js';

/** What expressions of an execution's own nodes can see. */
export class ParentStore {
  /** @param node that sees it: nothing is read that it does not refer to */
  async scope(db: Tx, executionId: string, plan: Plan, node: PlannedNode): Promise<Scope> {
    const r = (await db.query(loadParent, [executionId])).rows[0];
    if (!r) throw new Error(`execution ${executionId} is not there`);
    const reads = upstreamReads(plan, node);
    const tasks = reads.length === 0 ? [] : (await db.query(loadParentOutputs, [executionId, reads])).rows;
    const outputs = new Map(tasks.map((t) => [t.node as number, t]));
    const child = r.fan_out_id !== null;
    return {
      input: r.input as string,
      ...(child ? { item: (r.item ?? r.input) as string, index: itemIndexOf(executionId) } : {}),
      node: (id) => {
        const found = nodeById(plan, id);
        const task = found && outputs.get(found.index);
        return (
          found && {
            output: (task?.output ?? null) as string | null,
            state: ((task?.state as string) ?? 'pending').toUpperCase(),
          }
        );
      },
      executionId,
      parentId: r.parent_id as string | null,
      labels: (r.labels ?? '{}') as string,
    };
  }
}
