import type { Plan } from '@app/domain';

/** The nodes whose outputs are an execution's output: the ends of its plan. */
export interface OutputNodes {
  readonly nodes: readonly number[];
  readonly ids: readonly string[];
}

export function outputNodesOf(plan: Plan): OutputNodes {
  return { nodes: plan.ends, ids: plan.ends.map((n) => plan.nodes[n]!.id) };
}

/** The output of an execution as exact JSON text: of its one end, or an object of those ends that succeeded. */
export function outputOf(
  ends: OutputNodes,
  nodes: readonly number[] | null,
  outputs: readonly (string | null)[] | null,
): string | null {
  if (!nodes || !outputs) return null;
  if (ends.nodes.length === 1) return outputs[0] ?? null;
  return `{${nodes.map((n, i) => `${JSON.stringify(ends.ids[ends.nodes.indexOf(n)])}:${outputs[i] ?? 'null'}`).join(',')}}`;
}
