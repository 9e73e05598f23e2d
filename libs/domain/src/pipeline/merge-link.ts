/** Which spawner each MERGE merges, and what is wrong with that. */
import type { NodeDraft } from './draft.js';
import { isUpstream, type Graph } from './graph.js';
import type { Report } from './report.js';

/** Position of the MERGE → position of its spawner. */
export type MergeLinks = ReadonlyMap<number, number>;

export function linkMerges(
  drafts: readonly NodeDraft[],
  nodeAt: ReadonlyMap<string, number>,
  graph: Graph,
  rank: readonly number[] | null,
  report: Report,
): MergeLinks {
  const links = new Map<number, number>();
  const mergeOf = new Map<number, NodeDraft>();
  for (const draft of drafts) {
    if (draft.type !== 'MERGE') continue;
    const spawner =
      draft.mergeOf === null
        ? nearestSpawner(draft, drafts, graph, report)
        : namedSpawner(draft, draft.mergeOf, drafts, nodeAt, graph, rank, report);
    if (spawner === null) continue;
    const other = mergeOf.get(spawner);
    if (other)
      report.add(
        draft.path,
        `spawner ${drafts[spawner]!.id} already has the merge ${other.id}; ${draft.id} is a second one`,
      );
    else mergeOf.set(spawner, draft);
    links.set(draft.index, spawner);
    refuseRunningOn(draft, drafts[spawner]!, report);
  }
  return links;
}

/** The rest of a rollout is what its stages have kept back: after an early verdict nobody would release it. */
function refuseRunningOn(merge: NodeDraft, spawner: NodeDraft, report: Report): void {
  const [rule, source] = [merge.node?.config, spawner.node?.config];
  if (rule?.type !== 'MERGE' || source?.type !== 'SPAWNER' || !source.rollout) return;
  if (rule.failFast && rule.remaining === 'RUN')
    report.add(`${merge.path}.config.remaining`, `must be CANCEL with failFast, as ${spawner.id} has a rollout`);
}

function namedSpawner(
  merge: NodeDraft,
  id: string,
  drafts: readonly NodeDraft[],
  nodeAt: ReadonlyMap<string, number>,
  graph: Graph,
  rank: readonly number[] | null,
  report: Report,
): number | null {
  const path = `${merge.path}.config.of`;
  const spawner = nodeAt.get(id);
  if (spawner === undefined) return refused(report, path, `there is no node ${JSON.stringify(id)}`);
  if (drafts[spawner]!.type !== 'SPAWNER') return refused(report, path, `${id} is not a SPAWNER`);
  if (!isUpstream(graph, spawner, merge.index, rank))
    return refused(report, path, `${id} is not upstream of ${merge.id}`);
  return spawner;
}

/** The one spawner among the nearest upstream nodes that have any; level by level against the edges. */
function nearestSpawner(merge: NodeDraft, drafts: readonly NodeDraft[], graph: Graph, report: Report): number | null {
  const seen = new Set([merge.index]);
  let level: readonly number[] = [merge.index];
  while (level.length > 0) {
    const above = new Set(level.flatMap((at) => graph.previous[at]!.filter((node) => !seen.has(node))));
    const spawners = [...above].filter((node) => drafts[node]!.type === 'SPAWNER');
    if (spawners.length === 1) return spawners[0]!;
    if (spawners.length > 1) {
      const ids = spawners.map((node) => drafts[node]!.id).join(' and ');
      return refused(report, merge.path, `ambiguous: ${ids} are equally near upstream; say which with config.of`);
    }
    for (const node of above) seen.add(node);
    level = [...above];
  }
  return refused(report, merge.path, `a MERGE without a spawner: none is upstream of ${merge.id}`);
}

function refused(report: Report, path: string, message: string): null {
  report.add(path, message);
  return null;
}
