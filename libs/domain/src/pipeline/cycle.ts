import type { Graph } from './graph.js';

/**
 * The cycles of a graph, each as the nodes on it in order of the way round. Cycles that share nodes are one knot: its
 * nodes are told once, in the order they are found. (Tarjan's strongly connected components, with a stack of our own.)
 */
export function findCycles(graph: Graph): number[][] {
  const cycles: number[][] = [];
  const number = graph.next.map(() => -1);
  const low = graph.next.map(() => 0);
  const onPath = graph.next.map(() => false);
  const path: number[] = [];
  let count = 0;
  for (let start = 0; start < graph.size; start++) {
    if (number[start] !== -1) continue;
    const calls: { at: number; child: number }[] = [{ at: start, child: 0 }];
    while (calls.length > 0) {
      const call = calls[calls.length - 1]!;
      const { at } = call;
      if (call.child === 0) {
        number[at] = low[at] = count++;
        path.push(at);
        onPath[at] = true;
      }
      const to = graph.next[at]![call.child++];
      if (to === undefined) {
        calls.pop();
        const parent = calls.at(-1);
        if (parent) low[parent.at] = Math.min(low[parent.at]!, low[at]!);
        if (low[at] === number[at]) {
          const component = path.splice(path.lastIndexOf(at));
          for (const node of component) onPath[node] = false;
          if (component.length > 1) cycles.push(wayRound(graph, component));
        }
      } else if (number[to] === -1) calls.push({ at: to, child: 0 });
      else if (onPath[to]) low[at] = Math.min(low[at]!, number[to]!);
    }
  }
  return cycles;
}

/** The component in the order of its only cycle, or as it is when it has several. */
function wayRound(graph: Graph, component: readonly number[]): number[] {
  const members = new Set(component);
  const first = Math.min(...component);
  const way: number[] = [];
  let at = first;
  do {
    way.push(at);
    const onward = graph.next[at]!.filter((to) => members.has(to));
    if (onward.length !== 1) return [...component].sort((a, b) => a - b);
    at = onward[0]!;
  } while (at !== first && way.length <= component.length);
  return way.length === component.length ? way : [...component].sort((a, b) => a - b);
}
