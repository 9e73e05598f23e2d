/** References between nodes: each must name a node that has settled by the time it is read. */
import type { NodeDraft } from './draft.js';
import { isUpstream, type Graph } from './graph.js';
import { isPerformed } from './plan.js';
import { usesOf, type ReadEdge } from './read-edges.js';
import type { Report } from './report.js';

export function checkReferences(
  drafts: readonly NodeDraft[],
  edges: readonly ReadEdge[],
  nodeAt: ReadonlyMap<string, number>,
  graph: Graph,
  rank: readonly number[] | null,
  report: Report,
): void {
  for (const draft of drafts) {
    for (const use of draft.uses)
      for (const id of use.references.nodes)
        check(id, use.path, (node) => isUpstream(graph, node, draft.index, rank), draft.id);
    checkResults(draft);
    checkPause(draft);
  }
  for (const edge of edges) {
    for (const use of usesOf(edge)) {
      const end = use.at === 'condition' ? edge.from : edge.to;
      const settled = (node: number) => node === edge.from || isUpstream(graph, node, end, rank);
      for (const id of use.references.nodes) check(id, use.path, settled, drafts[end]!.id);
    }
  }

  function check(id: string, path: string, settled: (node: number) => boolean, reader: string | null): void {
    const node = nodeAt.get(id);
    if (node === undefined) report.add(path, `refers to node ${JSON.stringify(id)}, which does not exist`);
    else if (!settled(node)) report.add(path, `refers to node ${id}, which is not upstream of ${reader}`);
  }

  /** `onPressure: {"pause": …}` of a spawner names an upstream node whose tasks executors start. */
  function checkPause(draft: NodeDraft): void {
    const config = draft.node?.config;
    if (config?.type !== 'SPAWNER' || config.pausesUnderPressure === null) return;
    const path = `${draft.path}.config.onPressure.pause`;
    const { pausesUnderPressure: id } = config;
    const type = drafts[nodeAt.get(id) ?? -1]?.type;
    if (type && !isPerformed(type)) report.add(path, `${id} is a ${type}, which no executor performs`);
    else check(id, path, (at) => isUpstream(graph, at, draft.index, rank), draft.id);
  }

  /** `items: {"results": …}` of a spawner names an earlier spawner. */
  function checkResults(draft: NodeDraft): void {
    const config = draft.node?.config;
    if (config?.type !== 'SPAWNER' || config.items.kind !== 'results') return;
    const path = `${draft.path}.config.items.results`;
    const { of } = config.items;
    const node = nodeAt.get(of);
    if (node !== undefined && drafts[node]!.type !== 'SPAWNER') report.add(path, `${of} is not a SPAWNER`);
    else check(of, path, (at) => isUpstream(graph, at, draft.index, rank), draft.id);
  }
}
