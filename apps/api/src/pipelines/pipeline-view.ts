import type { Plan } from '@app/domain';
import type { PublishedPipeline } from '@app/persistence';

/** A pipeline as the api shows it. */
export function pipelineView(row: Omit<PublishedPipeline, 'versionId'>) {
  const { name, version, enabled, createdAt, publishedAt } = row;
  return { name, version, enabled, createdAt, publishedAt };
}

/** A plan as people need it: order, in-degree and what the longest path is. */
export function planView(plan: Plan) {
  return {
    nodes: plan.nodes.map((node) => ({
      id: node.id,
      type: node.type,
      rank: node.rank,
      inDegree: node.inDegree,
      criticalPath: node.criticalPath,
    })),
    edges: plan.edges.map((edge) => ({ from: plan.nodes[edge.from]!.id, to: plan.nodes[edge.to]!.id })),
    criticalPath: criticalPathOf(plan),
  };
}

/** Ids along the longest weighted path, from a root to an end. */
function criticalPathOf(plan: Plan): string[] {
  const path: string[] = [];
  let candidates: readonly number[] = plan.roots;
  while (candidates.length > 0) {
    const longest = candidates.reduce((a, b) => (plan.nodes[b]!.criticalPath > plan.nodes[a]!.criticalPath ? b : a));
    const node = plan.nodes[longest]!;
    path.push(node.id);
    candidates = node.outgoing.map((edge) => edge.to);
  }
  return path;
}
