import type { DefinedPipeline } from './defined-pipeline.js';
import { nameOf, nodeSpec, type NodePolicy, type NodeSpec } from './node-kinds.js';
import { plain, refTo, type Ref, type Reference, type Resolved, type Templated } from './reference.js';
import type { Type } from './type.js';

/** What a spawner reads its items from, other than a list. */
export interface ItemSource<Item> extends Type<Item> {
  readonly source: Readonly<Record<string, unknown>>;
}

/** The items of a dataset, by its id. Cells of a CSV are strings. */
export function datasetItems<Item = Readonly<Record<string, string>>>(
  id: string | Reference<string>,
  _item?: Type<Item>,
): ItemSource<Item> {
  return { source: { dataset: plain(id) } };
}

/** What an earlier spawner's children gave. */
export function resultItems<Child>(
  spawner: { readonly id: string; readonly child?: Type<Child> },
  state?: readonly ('SUCCEEDED' | 'FAILED' | 'CANCELLED')[],
): ItemSource<{ readonly index: number; readonly key: string | null; readonly output: Child }> {
  return { source: { results: spawner.id, ...(state ? { state } : {}) } };
}

/** What is in scope where a child is described. */
export interface ChildScope<Item, Frozen = unknown, Given = unknown> {
  readonly item: Ref<Item>;
  readonly index: Ref<number>;
  /** In `node` what the child is given; elsewhere the input of the execution that spawns. */
  readonly input: Ref<Given>;
  /** What `freeze` looked up for the item. */
  readonly frozen: Ref<Frozen>;
}

export interface RolloutStage {
  readonly items?: number;
  readonly ratio?: number;
  readonly maxFailureRatio?: number;
  readonly approval?: boolean;
}

export interface SpawnerConfig<Item, Batch, Frozen> {
  /** A list, a reference to one, `datasetItems(…)` or `resultItems(…)`. */
  readonly items: ItemSource<Item> | Reference<readonly Item[]> | readonly Item[];
  /** Unique and present; checked over the whole list before the first child. */
  readonly itemKey?: (scope: ChildScope<Item>) => Reference<string | number | bigint>;
  /** One child per batch: its item is a list. */
  readonly batch?: Batch;
  readonly maxConcurrency?: number;
  readonly priority?: number;
  readonly onPressure?: 'DEFER' | { readonly pause: { readonly id: string } };
  readonly rollout?: readonly RolloutStage[];
  readonly freeze?: { readonly batch?: number; readonly node: NodeSpec; readonly gives?: Type<Frozen> };
}

export interface BatchSize {
  readonly maxItems?: number;
  readonly maxBytes?: number;
}

type OfChild<Item, Batch> = Batch extends BatchSize ? readonly Item[] : Item;

/** One child for each item: `node` is the child, as one node; or `pipeline`, which takes the item, or what `input` makes of it. */
export function spawner<
  Item,
  Child,
  Frozen = unknown,
  Batch extends BatchSize | undefined = undefined,
  Given = OfChild<Item, Batch>,
>(
  config: SpawnerConfig<Item, Batch, Frozen> & {
    /** What the child is given; default: the item. To be written before `node`, which sees its type. */
    readonly input?: (scope: ChildScope<OfChild<Item, Batch>, Frozen>) => Given;
    readonly node: (scope: ChildScope<OfChild<Item, Batch>, Frozen, Resolved<Given>>) => NodeSpec<Child>;
  },
  policy?: NodePolicy,
): NodeSpec<null, Child>;
export function spawner<Item, Input, Child, Frozen = unknown, Batch extends BatchSize | undefined = undefined>(
  config: SpawnerConfig<Item, Batch, Frozen> & {
    readonly pipeline: DefinedPipeline<Input, Child>;
    readonly input: (scope: ChildScope<OfChild<Item, Batch>, Frozen>) => Templated<NoInfer<Input>>;
  },
  policy?: NodePolicy,
): NodeSpec<null, Child>;
export function spawner<Item, Child, Frozen = unknown, Batch extends BatchSize | undefined = undefined>(
  config: SpawnerConfig<Item, Batch, Frozen> & {
    readonly pipeline: DefinedPipeline<NoInfer<OfChild<Item, Batch>>, Child>;
    readonly input?: undefined;
  },
  policy?: NodePolicy,
): NodeSpec<null, Child>;
export function spawner<Item, Child = unknown, Frozen = unknown, Batch extends BatchSize | undefined = undefined>(
  config: SpawnerConfig<Item, Batch, Frozen> & {
    readonly pipeline: string;
    readonly input?: (scope: ChildScope<OfChild<Item, Batch>, Frozen>) => unknown;
    readonly gives?: Type<Child>;
  },
  policy?: NodePolicy,
): NodeSpec<null, Child>;
export function spawner(given: object, policy?: NodePolicy): NodeSpec<null> {
  const { items, node, pipeline, input, itemKey, freeze, onPressure, gives: _gives, ...rest } = given as AnySpawner;
  const config = {
    items: isSource(items) ? items.source : items,
    ...(pipeline === undefined ? {} : { pipeline: nameOf(pipeline) }),
    ...(node === undefined ? {} : { node: inlineNode(node(scope)) }),
    ...(input === undefined ? {} : { input: input(scope) }),
    ...(itemKey === undefined ? {} : { itemKey: itemKey(scope) }),
    ...rest,
    ...(onPressure === undefined ? {} : { onPressure: paused(onPressure) }),
    ...(freeze === undefined ? {} : { freeze: { batch: freeze.batch, node: inlineNode(freeze.node) } }),
  };
  return nodeSpec('SPAWNER', config, policy);
}

interface AnySpawner {
  readonly items: unknown;
  readonly node?: (of: ChildScope<unknown>) => NodeSpec;
  readonly pipeline?: string | DefinedPipeline;
  readonly input?: (of: ChildScope<unknown>) => unknown;
  readonly itemKey?: (of: ChildScope<unknown>) => unknown;
  readonly freeze?: { readonly batch?: number; readonly node: NodeSpec };
  readonly onPressure?: 'DEFER' | { readonly pause: { readonly id: string } };
  readonly gives?: unknown;
}

const scope: ChildScope<unknown> = {
  item: refTo('item'),
  index: refTo('index'),
  input: refTo('input'),
  frozen: refTo('frozen'),
};

/** Items of the batch that a `freeze` looks up, in its node: `{index, item}` each. */
export function frozenItems<Item>(_item?: Type<Item>): Ref<readonly { readonly index: number; readonly item: Item }[]> {
  return refTo('items');
}

function isSource(items: unknown): items is ItemSource<unknown> {
  return typeof items === 'object' && items !== null && Object.hasOwn(items, 'source');
}

function paused(onPressure: 'DEFER' | { readonly pause: { readonly id: string } }): unknown {
  return onPressure === 'DEFER' ? onPressure : { pause: onPressure.pause.id };
}

function inlineNode({ type, config, policy }: NodeSpec): object {
  return { type, ...policy, config };
}

export interface MergeConfig<Child, Results> {
  /** The spawner. */
  readonly of: { readonly id: string; readonly child?: Type<Child> };
  readonly tolerateChildFailures?: readonly ('FAILED' | 'CANCELLED')[];
  readonly failureTolerance?: { readonly maxFailureRatio?: number; readonly maxFailureCount?: number };
  readonly failFast?: boolean;
  readonly remaining?: 'CANCEL' | 'RUN';
  readonly results?: Results;
}

export interface MergeOutput {
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly cancelled: number;
}

/** One child's result in the output of a merge with `results: 'INLINE'`. */
export interface ChildResult<Child> {
  readonly index: number;
  readonly key: string | null;
  readonly state: 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
  readonly output?: Child;
  readonly error?: { readonly class: string; readonly code: string; readonly message: string };
}

/** `results` is null where they are larger than 256 KiB. */
export interface MergeOutputWithResults<Child> extends MergeOutput {
  readonly results: readonly ChildResult<Child>[] | null;
  readonly resultsOmitted?: boolean;
}

/** Waits for the children of a spawner and gives a verdict. */
export function merge<Child, const Results extends 'NONE' | 'INLINE' = 'NONE'>(
  config: MergeConfig<Child, Results>,
  policy?: NodePolicy,
): NodeSpec<Results extends 'INLINE' ? MergeOutputWithResults<Child> : MergeOutput> {
  return nodeSpec('MERGE', { ...config, of: config.of.id }, policy);
}
