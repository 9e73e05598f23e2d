import type { HandoutMessage } from '@app/contracts/messages/envelopes.js';
import { itemIndexOf, nodeById, nodeScope, type Scope } from '@app/domain';
import type { PeekedRow, VersionedPlan } from '@app/persistence';

/** Outputs and states of upstream nodes, by execution and node. */
export type Upstream = ReadonlyMap<string, ReadonlyMap<number, { state: string; output: string | null }>>;

/** What was looked up for items, by their index. */
export type Frozen = ReadonlyMap<number, string>;

const nothing: Frozen = new Map();

/** What the templates of a task can see. */
export function scopeOf(
  row: Omit<PeekedRow, 'itemKey'>,
  handout: HandoutMessage,
  at: VersionedPlan,
  upstream: Upstream,
  frozen: Frozen = nothing,
): Scope {
  const child = handout.fanOut !== null;
  const index = child ? itemIndexOf(row.id) : undefined;
  return nodeScope(at.plan, at.plan.nodes[handout.node]!, {
    input: row.input,
    item: child ? (row.item ?? row.input) : undefined,
    index,
    frozen: index === undefined ? undefined : frozen.get(index),
    node: (id) => {
      const found = nodeById(at.plan, id);
      if (!found) return undefined;
      const task = upstream.get(row.id)?.get(found.index);
      return { output: task?.output ?? null, state: (task?.state ?? 'pending').toUpperCase() };
    },
    executionId: row.id,
    parentId: handout.parent,
    labels: row.labels ?? '{}',
  });
}
