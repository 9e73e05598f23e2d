import type { Plan } from '@app/domain';
import type { ProblemDefect } from '../problem/problem.js';

const unsupported = new Set(['PIPELINE']);

/** Nodes that a definition may describe and that this engine does not run yet: refused before anything can wait for them. */
export function unsupportedDefects(plan: Plan, path = ''): ProblemDefect[] {
  return plan.nodes.flatMap((node) => {
    const here = path === '' ? `nodes[${node.index}]` : path;
    const own = unsupported.has(node.type)
      ? [{ path: `${here}.type`, message: `nodes of type ${node.type} are not supported yet` }]
      : [];
    const child = node.config.type === 'SPAWNER' && node.config.child.kind === 'inline' ? node.config.child.plan : null;
    return child ? [...own, ...unsupportedDefects(child, `${here}.config.node`)] : own;
  });
}
