/** The edges of a definition: what they say, and which of them can be part of the graph. */
import { compileCondition, type Condition } from '../expression/condition.js';
import type { References } from '../expression/scope.js';
import type { Template } from '../expression/template.js';
import type { EdgeDraft } from './draft.js';
import { Fields, type Located } from './fields.js';
import type { Place } from './place.js';

export interface ReadEdge extends EdgeDraft {
  readonly condition: Condition | null;
  readonly mapping: Template | null;
  readonly timeoutMs: number | null;
}

/** Edges between known nodes, without self-loops and duplicates, which are reported. */
export function readEdges(list: readonly Located[], nodeAt: ReadonlyMap<string, number>, place: Place): ReadEdge[] {
  const edges: ReadEdge[] = [];
  const seen = new Map<string, string>();
  list.forEach((value, index) => {
    const fields = Fields.read(value, place);
    if (!fields) return;
    const from = readEnd(fields, 'from', nodeAt);
    const to = readEnd(fields, 'to', nodeAt);
    const condition = readCondition(fields);
    const mapping = readMapping(fields);
    const timeoutMs = fields.duration('timeout');
    fields.finish();
    if (from === null || to === null) return;
    if (from === to) return place.report.add(value.path, `self-loop: ${fields.string('from')} leads to itself`);
    const first = seen.get(`${from} ${to}`);
    if (first !== undefined)
      return place.report.add(
        value.path,
        `duplicate edge from ${fields.string('from')} to ${fields.string('to')}, as ${first}`,
      );
    seen.set(`${from} ${to}`, value.path);
    edges.push({ index, path: value.path, from, to, condition, mapping, timeoutMs });
  });
  return edges;
}

function readEnd(fields: Fields, name: 'from' | 'to', nodeAt: ReadonlyMap<string, number>): number | null {
  const id = fields.requiredString(name);
  if (id === null) return null;
  return nodeAt.get(id) ?? fields.report(name, `there is no node ${JSON.stringify(id)}`);
}

function readCondition(fields: Fields): Condition | null {
  const text = fields.string('condition');
  if (text === null) return null;
  const compiled = compileCondition(text, { path: fields.pathOf('condition'), roots: fields.place.roots });
  if (compiled.ok) return compiled.condition;
  for (const defect of compiled.defects) fields.place.report.add(defect.path, defect.message);
  return null;
}

/** Target field → template. */
function readMapping(fields: Fields): Template | null {
  const value = fields.raw('mapping');
  if (!value || !Fields.read(value, fields.place)) return null;
  return fields.template('mapping');
}

/** What the templates of an edge refer to, with the place of each. */
export function usesOf(edge: ReadEdge): { references: References; path: string; at: 'condition' | 'mapping' }[] {
  const uses: { references: References; path: string; at: 'condition' | 'mapping' }[] = [];
  if (edge.condition)
    uses.push({ references: edge.condition.references, path: `${edge.path}.condition`, at: 'condition' });
  if (edge.mapping) uses.push({ references: edge.mapping.references, path: `${edge.path}.mapping`, at: 'mapping' });
  return uses;
}
