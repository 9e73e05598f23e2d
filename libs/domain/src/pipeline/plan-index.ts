/** Look-ups in a plan, made once for each plan: none of them walks the plan for each decision. */
import type { Plan, PlannedNode } from './plan.js';

interface PlanIndex {
  readonly byId: ReadonlyMap<string, PlannedNode>;
  /** Position of a spawner → its MERGE. */
  readonly merges: ReadonlyMap<number, PlannedNode>;
  readonly mapped: ReadonlySet<number>;
}

const known = new WeakMap<Plan, PlanIndex>();

export function nodeById(plan: Plan, id: string): PlannedNode | undefined {
  return indexOf(plan).byId.get(id);
}

/** The MERGE of a spawner; null: it has none. */
export function mergeOf(plan: Plan, spawner: number): PlannedNode | null {
  return indexOf(plan).merges.get(spawner) ?? null;
}

/** Whether an edge to a node has a mapping. */
export function isMapped(plan: Plan, node: number): boolean {
  return indexOf(plan).mapped.has(node);
}

function indexOf(plan: Plan): PlanIndex {
  let index = known.get(plan);
  if (!index) {
    const byId = new Map(plan.nodes.map((node) => [node.id, node]));
    const merges = new Map(
      plan.nodes.flatMap((node) => (node.config.type === 'MERGE' ? [[node.config.of, node]] : [])),
    );
    const mapped = new Set(plan.edges.flatMap((edge) => (edge.mapping ? [edge.to] : [])));
    known.set(plan, (index = { byId, merges, mapped }));
  }
  return index;
}
