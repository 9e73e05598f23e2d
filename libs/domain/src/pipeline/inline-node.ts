/** The child of a spawner with an inline `node`: a plan of that one node, with the spawner's id. */
import { assemblePlan } from './assemble.js';
import { buildGraph } from './graph.js';
import { inlineRoots, type Place } from './place.js';
import type { Plan } from './plan.js';
import { readNode } from './read-node.js';

/** @param roots names in scope of its templates */
export function readInlineNode(text: string, path: string, around: Place, roots = inlineRoots): Plan | null {
  const place: Place = { ...around, roots };
  const draft = readNode({ text, path }, 0, place, around.nodeId);
  if (draft.type === 'MERGE') place.report.add(path, 'a MERGE without a spawner: an inline node is alone');
  const config = draft.node?.config;
  if (config?.type === 'SPAWNER' && config.items.kind === 'results')
    place.report.add(`${path}.config.items.results`, 'an inline node is alone: there is no earlier fan-out');
  if (config?.type === 'SPAWNER' && config.pausesUnderPressure !== null)
    place.report.add(`${path}.config.onPressure.pause`, 'an inline node is alone: there is no upstream node');
  if (!draft.node) return null;
  const head = {
    name: around.pipeline ?? '',
    maxConcurrency: null,
    timeoutMs: null,
    retention: { succeededMs: null, failedMs: null },
    inputSchema: null,
    notify: [],
  };
  return assemblePlan(head, [draft], [], buildGraph(1, []), [0], new Map());
}
