import {
  childId,
  decodeString,
  evaluateTemplate,
  ExpressionFailure,
  ItemBatch,
  jsonKind,
  nodeScope,
  sliceElements,
  type FailureDetail,
  type Plan,
  type PlannedNode,
  type Scope,
  type SpawnerConfig,
  type Template,
} from '@app/domain';
import { MemoryExecution, type MemoryFanOut } from './memory-execution.js';
import { NotInMemory } from './memory-performer.js';

/** The plans and lists that a run has beside the pipeline itself. */
export interface Catalogue {
  readonly plans: ReadonlyMap<string, Plan>;
  /** Exact JSON texts of items, by dataset. */
  readonly datasets: ReadonlyMap<string, readonly string[]>;
}

const noTally = { succeeded: 0, failed: 0, cancelled: 0 };

/** The spawner cannot go on: its fan-out is closed with this failure. */
class SpawnRefused extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly facts: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

/** Creates the fan-out of a spawner, or of a PIPELINE node, with all its children; none of them has begun. */
export function spawnChildren(
  parent: MemoryExecution,
  node: PlannedNode,
  id: number,
  catalogue: Catalogue,
): MemoryFanOut {
  const fanOut: MemoryFanOut = {
    id,
    node: node.index,
    total: null,
    sealed: false,
    closed: false,
    verdict: 'open',
    verdictReason: null,
    parent,
    children: [],
    pending: [],
    tally: noTally,
  };
  parent.fanOuts.set(node.index, fanOut);
  try {
    const scope = nodeScope(
      parent.plan,
      node,
      parent.scope(() => undefined),
    );
    for (const child of childrenOf(fanOut, node, scope, catalogue)) fanOut.children.push(child);
    fanOut.pending.push(...fanOut.children);
    Object.assign(fanOut, { total: fanOut.children.length, sealed: true });
  } catch (error) {
    const detail = refusal(error, node);
    if (!detail) throw error;
    fanOut.children.length = 0;
    Object.assign(fanOut, { verdict: 'failed', closed: true, verdictReason: JSON.stringify(detail) });
  }
  return fanOut;
}

function refusal(error: unknown, node: PlannedNode): FailureDetail | null {
  if (error instanceof SpawnRefused)
    return { class: 'PERMANENT', code: error.code, message: error.message, nodeId: node.id, ...error.facts };
  if (!(error instanceof ExpressionFailure)) return null;
  const { message, expression, path } = error;
  return { class: 'PERMANENT', code: 'EXPRESSION.FAILED', message, nodeId: node.id, expression, path };
}

function* childrenOf(
  fanOut: MemoryFanOut,
  node: PlannedNode,
  scope: Scope,
  catalogue: Catalogue,
): Generator<MemoryExecution> {
  const { config } = node;
  if (config.type === 'PIPELINE') {
    const input = config.input === null ? scope.input : evaluateTemplate(config.input, scope);
    yield childOf(fanOut, planOf(config.child, node, catalogue), { item: input, index: 0, key: null }, input);
    return;
  }
  if (config.type !== 'SPAWNER') throw new Error(`node ${node.id} spawns nothing`);
  if (config.freeze) throw new NotInMemory(`node ${node.id} has \`freeze\`, which the test kit does not run`);
  if (config.rollout) throw new NotInMemory(`node ${node.id} has \`rollout\`, which the test kit does not run`);
  const plan = planOf(config.child, node, catalogue);
  const seen = new Map<string, number>();
  let index = 0;
  for (const item of batched(itemsOf(fanOut, config, scope, catalogue), config.batch)) {
    const here = { ...scope, item, index };
    const key = config.itemKey === null ? null : keyOf(config.itemKey, here, index);
    if (key !== null && seen.has(key)) {
      const both = [seen.get(key)!, index];
      throw new SpawnRefused('ITEM_KEY.DUPLICATE', `items ${both[0]} and ${both[1]} have the same key`, {
        itemIndexes: both,
      });
    }
    if (key !== null) seen.set(key, index);
    const input = config.input === null ? item : evaluateTemplate(config.input, here);
    yield childOf(fanOut, plan, { item, index, key }, input);
    index++;
  }
}

function childOf(
  fanOut: MemoryFanOut,
  plan: Plan,
  at: { readonly item: string; readonly index: number; readonly key: string | null },
  input: string,
): MemoryExecution {
  const { parent } = fanOut;
  const id = childId(parent.rootId, fanOut.id, at.index);
  return new MemoryExecution(id, parent.rootId, plan, input, parent.labels, { fanOut, ...at });
}

function planOf(child: SpawnerConfig['child'], node: PlannedNode, { plans }: Catalogue): Plan {
  if (child.kind === 'inline') return child.plan;
  const plan = plans.get(child.name);
  if (!plan) throw new NotInMemory(`node ${node.id} starts the pipeline ${child.name}; give it in \`pipelines\``);
  return plan;
}

function* itemsOf(
  fanOut: MemoryFanOut,
  { items }: SpawnerConfig,
  scope: Scope,
  { datasets }: Catalogue,
): Generator<string> {
  if (items.kind === 'results') return yield* resultsOf(fanOut.parent, items.of, items.states);
  const text = evaluateTemplate(items.kind === 'list' ? items.list : items.dataset, scope);
  const kind = jsonKind(text);
  if (items.kind === 'dataset') {
    const id = kind === 'string' ? decodeString(text) : text;
    const found = datasets.get(id);
    if (!found) throw new SpawnRefused('DATASET.NOT_FOUND', `there is no dataset ${id}`, { dataset: id });
    return yield* found;
  }
  if (kind !== 'array') {
    const path = items.list.source;
    throw new SpawnRefused('ITEMS.NOT_A_LIST', `items must be a list; ${path} gives ${kind}`, { path, found: kind });
  }
  yield* sliceElements(text);
}

function* resultsOf(parent: MemoryExecution, of: string, states: readonly string[]): Generator<string> {
  const source = parent.plan.nodes.find((node) => node.id === of);
  const fanOut = source && parent.fanOuts.get(source.index);
  if (!fanOut) throw new SpawnRefused('RESULTS.NOT_FOUND', 'the earlier fan-out has no results');
  for (const child of fanOut.children)
    if (states.includes(child.state.toUpperCase())) {
      const { index, key } = child.lineage!;
      yield `{"index":${index},"key":${JSON.stringify(key)},"output":${child.output ?? 'null'}}`;
    }
}

/** One child per batch: its item is the array of the batch's items. */
function* batched(items: Iterable<string>, batch: SpawnerConfig['batch']): Generator<string> {
  if (!batch) return yield* items;
  const open = new ItemBatch(batch);
  for (const item of items) {
    const whole = open.add(item, Buffer.byteLength(item));
    if (whole !== null) yield whole;
  }
  const rest = open.take();
  if (rest !== null) yield rest;
}

function keyOf(itemKey: Template, scope: Scope, index: number): string {
  const text = evaluateTemplate(itemKey, scope);
  const kind = jsonKind(text);
  const key = kind === 'string' ? decodeString(text) : kind === 'number' || kind === 'boolean' ? text : '';
  if (key === '') throw new SpawnRefused('ITEM_KEY.MISSING', `item ${index} has no key`, { itemIndex: index });
  return key;
}
