/**
 * Which nodes of a failed or cancelled execution run again when it is retried: those that failed or were cancelled, and behind
 * them what was skipped. Of these, the ones that nothing else of them comes before begin at once; the others follow once what
 * comes before them has settled anew, as they did the first time. What succeeded stays.
 */
import type { Plan } from '../pipeline/plan.js';
import type { TaskState } from '../transition-table.js';

export interface NodesAgain {
  readonly begin: readonly number[];
  readonly follow: readonly number[];
}

export function nodesAgain(plan: Plan, tasks: ReadonlyMap<number, TaskState>): NodesAgain {
  const ended = [...tasks].filter(([, state]) => state === 'failed' || state === 'cancelled').map(([node]) => node);
  const behind = new Set(downstream(plan, ended));
  const skipped = [...behind].filter((node) => tasks.get(node) === 'skipped');
  return {
    begin: ended.filter((node) => !behind.has(node)),
    follow: [...ended.filter((node) => behind.has(node)), ...skipped],
  };
}

/** Every node reachable from the given ones. */
export function downstream(plan: Plan, from: readonly number[]): number[] {
  const seen = new Set<number>();
  const queue = [...from];
  for (let i = 0; i < queue.length; i++)
    for (const edge of plan.nodes[queue[i]!]!.outgoing)
      if (!seen.has(edge.to)) {
        seen.add(edge.to);
        queue.push(edge.to);
      }
  return [...seen];
}
