/** From drafts that have no defect to the plan. */
import type { NodeDraft } from './draft.js';
import { criticalPaths, ranks, type Graph } from './graph.js';
import type { MergeLinks } from './merge-link.js';
import type { NodeConfig, Plan, PlannedEdge, PlannedNode } from './plan.js';
import type { ReadEdge } from './read-edges.js';

export type PlanHead = Omit<Plan, 'nodes' | 'edges' | 'roots' | 'ends'>;

/** @param order topological, complete */
export function assemblePlan(
  head: PlanHead,
  drafts: readonly NodeDraft[],
  readEdges: readonly ReadEdge[],
  graph: Graph,
  order: readonly number[],
  links: MergeLinks,
): Plan {
  const edges = readEdges.map(({ index, from, to, condition, mapping, timeoutMs }): PlannedEdge => ({
    index,
    from,
    to,
    condition,
    mapping,
    timeoutMs,
  }));
  const incoming: PlannedEdge[][] = drafts.map(() => []);
  const outgoing: PlannedEdge[][] = drafts.map(() => []);
  for (const edge of edges) {
    outgoing[edge.from]!.push(edge);
    incoming[edge.to]!.push(edge);
  }
  const positions = new Map(drafts.map((draft) => [draft.id, draft.index]));
  const rank = ranks(graph, order);
  const critical = criticalPaths(graph, order);
  const yielding = new Set(drafts.map(({ node }) => pausedBy(node!.config)));
  const nodes = drafts.map((draft, i): PlannedNode => {
    const node = draft.node!;
    return {
      ...node,
      config: linked(node.config, links.get(i)),
      yields: yielding.has(node.id),
      incoming: incoming[i]!,
      outgoing: outgoing[i]!,
      reads: readsOf(draft, positions),
      rank: rank[i]!,
      inDegree: incoming[i]!.length,
      criticalPath: critical[i]!,
    };
  });
  const roots = nodes.filter((node) => node.inDegree === 0).map((node) => node.index);
  const ends = nodes.filter((node) => node.outgoing.length === 0).map((node) => node.index);
  return { ...head, nodes, edges, roots, ends };
}

function pausedBy(config: NodeConfig): string | null {
  return config.type === 'SPAWNER' ? config.pausesUnderPressure : null;
}

function linked(config: NodeConfig, spawner: number | undefined): NodeConfig {
  return config.type === 'MERGE' && spawner !== undefined ? { ...config, of: spawner } : config;
}

function readsOf({ uses }: NodeDraft, positions: ReadonlyMap<string | null, number>): readonly number[] {
  if (uses.length === 0) return [];
  return [...new Set(uses.flatMap((use) => use.references.nodes).flatMap((id) => positions.get(id) ?? []))];
}
