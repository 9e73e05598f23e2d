/** The bare graph: nodes as positions, edges as pairs. All walks are iterative, so a chain of any length is planned. */
import type { EdgeDraft } from './draft.js';

export interface Graph {
  readonly size: number;
  /** Successors of each node, each once, without self-loops. */
  readonly next: readonly (readonly number[])[];
  readonly previous: readonly (readonly number[])[];
}

export function buildGraph(size: number, edges: readonly Pick<EdgeDraft, 'from' | 'to'>[]): Graph {
  const next: Set<number>[] = Array.from({ length: size }, () => new Set());
  const previous: Set<number>[] = Array.from({ length: size }, () => new Set());
  for (const { from, to } of edges) {
    if (from === to) continue;
    next[from]!.add(to);
    previous[to]!.add(from);
  }
  return { size, next: next.map((set) => [...set]), previous: previous.map((set) => [...set]) };
}

/** Nodes in topological order; shorter than the graph where there is a cycle. */
export function topologicalOrder(graph: Graph): number[] {
  const open = graph.previous.map((nodes) => nodes.length);
  const order: number[] = [];
  for (let i = 0; i < graph.size; i++) if (open[i] === 0) order.push(i);
  for (let at = 0; at < order.length; at++)
    for (const to of graph.next[order[at]!]!) if (--open[to]! === 0) order.push(to);
  return order;
}

/** True for each node that can be reached from a node without predecessors. */
export function reachable(graph: Graph): boolean[] {
  const seen = graph.previous.map((nodes) => nodes.length === 0);
  const open = seen.flatMap((is, i) => (is ? [i] : []));
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const to of graph.next[at]!) {
      if (seen[to]) continue;
      seen[to] = true;
      open.push(to);
    }
  }
  return seen;
}

/** The longest distance of each node from a start. `order` must be complete. */
export function ranks(graph: Graph, order: readonly number[]): number[] {
  const rank = graph.next.map(() => 0);
  for (const at of order) for (const to of graph.next[at]!) rank[to] = Math.max(rank[to]!, rank[at]! + 1);
  return rank;
}

/** How many nodes the longest path from each node to an end has, itself included. `order` must be complete. */
export function criticalPaths(graph: Graph, order: readonly number[]): number[] {
  const length = graph.next.map(() => 1);
  for (let i = order.length - 1; i >= 0; i--) {
    const at = order[i]!;
    for (const to of graph.next[at]!) length[at] = Math.max(length[at]!, length[to]! + 1);
  }
  return length;
}

/**
 * True when `ancestor` lies upstream of `node`. With ranks the search never leaves what lies between the two.
 * @param rank of each node, or null where the graph has cycles
 */
export function isUpstream(graph: Graph, ancestor: number, node: number, rank: readonly number[] | null): boolean {
  const seen = new Set<number>();
  const open = [...graph.previous[node]!];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at === ancestor) return true;
    if (seen.has(at) || (rank && rank[at]! <= rank[ancestor]!)) continue;
    seen.add(at);
    open.push(...graph.previous[at]!);
  }
  return false;
}
