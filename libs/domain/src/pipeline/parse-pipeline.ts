/**
 * From the text of a definition to its plan. Pure: the same text gives the same plan in every process. Everything that
 * is wrong is told in one answer (api.md, "Refused at publish time").
 */
import type { Defect } from '../expression/defect.js';
import { canonicalJson } from '../json/canonical.js';
import { checkJson } from '../json/check-json.js';
import { jsonKind } from '../json/cut.js';
import { assemblePlan, type PlanHead } from './assemble.js';
import { findCycles } from './cycle.js';
import type { NodeDraft } from './draft.js';
import { Fields, shown } from './fields.js';
import { buildGraph, ranks, reachable, topologicalOrder, type Graph } from './graph.js';
import { readInlineNode } from './inline-node.js';
import { linkMerges } from './merge-link.js';
import { nameRule } from './name-rule.js';
import { checkReferences } from './node-reference.js';
import { readNotify } from './notify.js';
import { pipelineRoots, type Place } from './place.js';
import type { Plan } from './plan.js';
import { readEdges } from './read-edges.js';
import { readNode } from './read-node.js';
import { Report } from './report.js';

export type ParsedPipeline =
  | {
      readonly ok: true;
      readonly name: string;
      readonly plan: Plan;
      /** The definition as canonical JSON: equal texts are the same definition. */
      readonly canonical: string;
    }
  | { readonly ok: false; readonly defects: readonly Defect[] };

/** Nodes of one pipeline: a position fits the column it is stored in. */
const maxNodes = 32_767;

/** @param text exact JSON text of a definition; never throws */
export function parsePipeline(text: string): ParsedPipeline {
  const broken = checkJson(text);
  if (broken) return { ok: false, defects: [{ path: broken.path, message: broken.message }] };
  if (jsonKind(text) !== 'object')
    return { ok: false, defects: [{ path: '', message: `a pipeline must be an object, is ${shown(text.trim())}` }] };
  const report = new Report();
  const plan = readPipeline(text, report);
  if (!plan || report.defects.length > 0) return { ok: false, defects: report.defects };
  return { ok: true, name: plan.name, plan, canonical: canonicalJson(text) };
}

function readPipeline(text: string, report: Report): Plan | null {
  const place = topPlace(report);
  const fields = Fields.read({ text, path: '' }, place)!;
  const name = fields.requiredString('name', nameRule);
  const head = readHead(fields, name ?? '');
  fields.required('nodes');
  const nodeList = fields.list('nodes');
  const edgeList = fields.list('edges') ?? [];
  fields.finish();
  if (!nodeList) return null;
  if (nodeList.length === 0) return fields.report('nodes', 'a pipeline needs at least one node');
  if (nodeList.length > maxNodes) return fields.report('nodes', `a pipeline has at most ${maxNodes} nodes`);
  const drafts = nodeList.map((value, i) => readNode(value, i, { ...place, pipeline: name }));
  const nodeAt = indexIds(drafts, report);
  const edges = readEdges(edgeList, nodeAt, place);
  const graph = buildGraph(drafts.length, edges);
  const order = topologicalOrder(graph);
  const isComplete = order.length === drafts.length;
  if (!isComplete) reportCycles(drafts, graph, report);
  const rank = isComplete ? ranks(graph, order) : null;
  const links = linkMerges(drafts, nodeAt, graph, rank, report);
  checkReferences(drafts, edges, nodeAt, graph, rank, report);
  if (!isComplete || drafts.some((draft) => !draft.node)) return null;
  return assemblePlan(head, drafts, edges, graph, order, links);
}

function topPlace(report: Report): Place {
  return {
    report,
    roots: pipelineRoots,
    pipeline: null,
    nodeId: null,
    nesting: 0,
    note: () => undefined,
    inline: readInlineNode,
  };
}

function readHead(fields: Fields, name: string): PlanHead {
  const schema = fields.raw('inputSchema');
  const kind = schema && jsonKind(schema.text);
  if (schema && kind !== 'object' && kind !== 'boolean')
    fields.report('inputSchema', `must be a JSON Schema, is ${shown(schema.text)}`);
  const maxConcurrency = fields.integer('maxConcurrency', 1, 2 ** 31 - 1);
  const timeoutMs = fields.duration('timeout');
  const retention = fields.object('retention');
  const succeededMs = retention?.duration('succeeded', 0) ?? null;
  const failedMs = retention?.duration('failed', 0) ?? null;
  retention?.finish();
  const notify = readNotify(fields);
  return {
    name,
    maxConcurrency,
    timeoutMs,
    retention: { succeededMs, failedMs },
    inputSchema: schema?.text ?? null,
    notify,
  };
}

/** Id → position; of a duplicate id the first. */
function indexIds(drafts: readonly NodeDraft[], report: Report): Map<string, number> {
  const nodeAt = new Map<string, number>();
  for (const draft of drafts) {
    if (draft.id === null) continue;
    const first = nodeAt.get(draft.id);
    if (first === undefined) nodeAt.set(draft.id, draft.index);
    else report.add(`${draft.path}.id`, `duplicate id ${draft.id}, as ${drafts[first]!.path}`);
  }
  return nodeAt;
}

function reportCycles(drafts: readonly NodeDraft[], graph: Graph, report: Report): void {
  const nameOf = (node: number): string => drafts[node]!.id ?? drafts[node]!.path;
  for (const cycle of findCycles(graph)) report.add('edges', `cycle: ${[...cycle, cycle[0]!].map(nameOf).join(' → ')}`);
  const lost = reachable(graph).flatMap((is, node) => (is ? [] : [node]));
  for (const node of lost) report.add(drafts[node]!.path, `unreachable: no path leads from a start to ${nameOf(node)}`);
}
