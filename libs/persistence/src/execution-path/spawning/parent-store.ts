import { itemIndexOf, type PlannedNode, type Scope } from '@app/domain';
import type { Tx } from '../../database/database.js';
import { loadParent } from './load-parent.sql.js';
import { loadParentOutputs } from './load-parent-outputs.sql.js';

/** What expressions of an execution's own nodes can see. */
export class ParentStore {
  async scope(db: Tx, executionId: string, plan: { nodes: readonly PlannedNode[] }): Promise<Scope> {
    const r = (await db.query(loadParent, [executionId])).rows[0];
    if (!r) throw new Error(`execution ${executionId} is not there`);
    const outputs = new Map((await db.query(loadParentOutputs, [executionId])).rows.map((t) => [t.node as number, t]));
    const child = r.fan_out_id !== null;
    return {
      input: r.input as string,
      ...(child ? { item: (r.item ?? r.input) as string, index: itemIndexOf(executionId) } : {}),
      node: (id) => {
        const node = plan.nodes.find((n) => n.id === id);
        const task = node && outputs.get(node.index);
        return (
          node && {
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
