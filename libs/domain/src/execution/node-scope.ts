import type { Scope } from '../expression/scope.js';
import { evaluateTemplate } from '../expression/template.js';
import { sliceMembers } from '../json/slice.js';
import type { Plan, PlannedNode } from '../pipeline/plan.js';
import type { TaskState } from '../transition-table.js';
import { edgeStatus } from './edge-status.js';

/**
 * What a node's own templates see. Where edges to it have a `mapping`, `input` is the object those make: one member for each
 * target field, of all edges that were taken, a later edge before an earlier one. Without a mapping on a taken edge it is the
 * execution's input. The edges' conditions and mappings themselves see the execution's input.
 *
 * Nothing of it is stored: upstream outputs do not change, so it is the same at each attempt. It is evaluated when `input` is
 * first read, which throws an ExpressionFailure where a mapping fails.
 */
export function nodeScope(plan: Plan, node: PlannedNode, scope: Scope): Scope {
  if (!hasMapping(node)) return scope;
  let input: string | undefined;
  return {
    ...scope,
    get input() {
      return (input ??= mappedInput(plan, node, scope));
    },
  };
}

/** Whether what a node sees as its input depends on what is upstream. */
export function hasMapping(node: PlannedNode): boolean {
  return node.incoming.some((edge) => edge.mapping !== null);
}

function mappedInput(plan: Plan, node: PlannedNode, scope: Scope): string {
  const members = new Map<string, string>();
  let isMapped = false;
  for (const edge of node.incoming) {
    const state = scope.node?.(plan.nodes[edge.from]!.id)?.state.toLowerCase() as TaskState | undefined;
    if (edge.mapping === null || edgeStatus(plan, edge, state ?? null, false, () => scope) !== 'taken') continue;
    isMapped = true;
    for (const [name, value] of sliceMembers(evaluateTemplate(edge.mapping, scope))) members.set(name, value);
  }
  if (!isMapped) return scope.input;
  return `{${[...members].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}
