import type { Plan } from '../pipeline/plan.js';

/**
 * An execution's output, from what its end nodes have given: of one end its output itself, of several an object of those
 * that succeeded. Null where nothing did.
 * @param outputs exact JSON text by position of the node
 */
export function executionOutput(plan: Plan, outputs: ReadonlyMap<number, string | null>): string | null {
  const [only] = plan.ends;
  if (plan.ends.length === 1) return outputs.get(only!) ?? null;
  const members = plan.ends
    .filter((end) => outputs.has(end))
    .map((end) => `${JSON.stringify(plan.nodes[end]!.id)}:${outputs.get(end) ?? 'null'}`);
  return `{${members.join(',')}}`;
}
