import { isSpawning, type Plan } from '@app/domain';

/** What executions of a plan may need looks at; others are spared them. */
export interface PlanTraits {
  readonly usesTimers: boolean;
  readonly readsPayloads: boolean;
  readonly spawns: boolean;
  readonly takesSignals: boolean;
}

const known = new WeakMap<Plan, PlanTraits>();

/** Made once for each plan. */
export function traitsOf(plan: Plan): PlanTraits {
  let traits = known.get(plan);
  if (!traits) known.set(plan, (traits = read(plan)));
  return traits;
}

function read({ nodes, edges, timeoutMs }: Plan): PlanTraits {
  return {
    usesTimers:
      timeoutMs !== null ||
      edges.some((e) => e.timeoutMs !== null) ||
      nodes.some((n) => n.type === 'WAIT' || (n.type === 'SIGNAL' && n.timeoutMs !== null)),
    readsPayloads:
      nodes.some((n) => n.type === 'TRANSFORM' || n.type === 'WAIT') ||
      edges.some((e) => e.condition !== null || e.mapping !== null),
    spawns: nodes.some((n) => isSpawning(n.type)),
    takesSignals: nodes.some((n) => n.type === 'SIGNAL'),
  };
}
