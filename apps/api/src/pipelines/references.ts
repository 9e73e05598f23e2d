/**
 * What a definition refers to by name, and whether following the names leads back to it. A bare name means the newest
 * version, so the graph is that of the newest versions with the definition under judgement in its own place.
 */
import { parsePipeline, type Plan } from '@app/domain';
import type { PipelineStore, Tx } from '@app/persistence';
import type { ProblemDefect } from '../problem/problem.js';

const maxNesting = 16;

interface Reference {
  readonly path: string;
  readonly name: string;
  readonly version: number | null;
}

/** Every defect of the references of a definition: missing pipelines, spawn recursion, nesting that is too deep. */
export async function referenceDefects(
  tx: Tx,
  pipelines: PipelineStore,
  name: string,
  plan: Plan,
): Promise<ProblemDefect[]> {
  const known = new Map<string, readonly Reference[] | null>();
  const own = referencesOf(plan);
  const defects: ProblemDefect[] = [];
  let frontier = own;
  for (let depth = 0; frontier.length > 0 && depth <= maxNesting; depth++) {
    await loadReferences(tx, pipelines, name, frontier, known);
    frontier = frontier.flatMap((r) => (r.name === name ? [] : (known.get(keyOf(r)) ?? [])));
  }
  for (const reference of own) {
    if (reference.name === name) {
      defects.push({ path: reference.path, message: `spawn recursion: ${name} → ${name}` });
      continue;
    }
    if (known.get(keyOf(reference)) === null) {
      defects.push({ path: reference.path, message: `the pipeline ${keyOf(reference)} does not exist` });
      continue;
    }
    const found = follow(reference, name, known);
    if (found) defects.push({ path: reference.path, message: found });
  }
  return defects;
}

/** What is wrong below a reference: the way back to `name`, or a chain that is too long; null when neither. */
function follow(
  start: Reference,
  name: string,
  known: ReadonlyMap<string, readonly Reference[] | null>,
): string | null {
  const cleared = new Set<string>();
  const stack: { reference: Reference; trail: readonly string[] }[] = [{ reference: start, trail: [name] }];
  while (stack.length > 0) {
    const { reference, trail } = stack.pop()!;
    const way = [...trail, keyOf(reference)];
    if (reference.name === name) return `spawn recursion: ${way.join(' → ')}`;
    if (way.length > maxNesting + 1) return `nested more than ${maxNesting} deep: ${way.slice(0, 4).join(' → ')} → …`;
    const mark = `${keyOf(reference)} ${way.length}`;
    if (cleared.has(mark)) continue;
    cleared.add(mark);
    for (const next of known.get(keyOf(reference)) ?? []) stack.push({ reference: next, trail: way });
  }
  return null;
}

async function loadReferences(
  tx: Tx,
  pipelines: PipelineStore,
  own: string,
  wanted: readonly Reference[],
  known: Map<string, readonly Reference[] | null>,
): Promise<void> {
  const missing = wanted.filter((r) => r.name !== own && !known.has(keyOf(r)));
  const names = [...new Set(missing.filter((r) => r.version === null).map((r) => r.name))];
  if (names.length > 0)
    for (const row of await pipelines.findLatest(tx, { names })) known.set(row.name, ofDefinition(row.definition));
  for (const r of missing.filter((reference) => reference.version !== null)) {
    const row = await pipelines.findVersion(tx, { name: r.name, version: r.version! });
    known.set(keyOf(r), row && !row.deleted ? ofDefinition(row.definition) : null);
  }
  for (const r of missing) if (!known.has(keyOf(r))) known.set(keyOf(r), null);
}

function ofDefinition(definition: string): readonly Reference[] {
  const parsed = parsePipeline(definition);
  return parsed.ok ? referencesOf(parsed.plan) : [];
}

function referencesOf(plan: Plan, prefix = ''): Reference[] {
  return plan.nodes.flatMap((node) => {
    const { config } = node;
    if (config.type !== 'SPAWNER' && config.type !== 'PIPELINE') return [];
    const path = prefix === '' ? `nodes[${node.index}].config` : prefix;
    if (config.child.kind === 'inline') return referencesOf(config.child.plan, `${path}.node.config`);
    return [{ path: `${path}.pipeline`, name: config.child.name, version: config.child.version }];
  });
}

function keyOf(reference: Pick<Reference, 'name' | 'version'>): string {
  return reference.version === null ? reference.name : `${reference.name}@${reference.version}`;
}
