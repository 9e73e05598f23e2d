import type { Scope } from '../expression/scope.js';
import type { Plan } from '../pipeline/plan.js';
import { nodeById } from '../pipeline/plan-index.js';
import type { TaskChange } from './execution-decision.js';
import type { ExecutionSnapshot } from './snapshot.js';

/** What expressions see while a decision is made: the snapshot, with what the decision has changed so far. */
export function decisionScope(
  plan: Plan,
  snapshot: ExecutionSnapshot,
  changes: ReadonlyMap<number, TaskChange>,
): Scope {
  return {
    input: snapshot.input ?? 'null',
    ...(snapshot.fanOutId === null
      ? {}
      : { item: snapshot.item ?? snapshot.input ?? 'null', index: snapshot.itemIndex ?? 0 }),
    node: (id) => {
      const node = nodeById(plan, id);
      if (!node) return undefined;
      const change = changes.get(node.index);
      const task = snapshot.tasks.get(node.index);
      const state = change?.to ?? task?.state ?? 'pending';
      return { output: change?.output ?? task?.output ?? null, state: state.toUpperCase() };
    },
    executionId: snapshot.id,
    parentId: snapshot.parentId,
    labels: snapshot.labels ?? '{}',
  };
}
