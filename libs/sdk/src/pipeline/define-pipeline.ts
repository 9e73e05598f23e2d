import { parsePipeline } from '@app/domain';
import { exactText } from '../client/exact-numbers.js';
import type { DefinedPipeline } from './defined-pipeline.js';
import type { NodeSpec } from './node-kinds.js';
import { expressionOf, plain, refTo, type Ref, type Reference } from './reference.js';
import type { Type } from './type.js';

export interface PipelineHead<Input> {
  readonly name: string;
  /** What its executions are started with: `type<{ dataset: string }>()`. */
  readonly input?: Type<Input>;
  /** A JSON Schema that the engine checks inputs against. */
  readonly inputSchema?: object | boolean;
  readonly maxConcurrency?: number;
  readonly timeout?: string;
  readonly retention?: { readonly succeeded?: string; readonly failed?: string };
  readonly notify?: readonly {
    readonly on: readonly ('SUCCEEDED' | 'FAILED' | 'CANCELLED')[];
    readonly url: string | Reference<string>;
    readonly headers?: Readonly<Record<string, string | Reference<string>>>;
  }[];
}

/** A node that has its place in the pipeline. */
export interface PlacedNode<Output = unknown, Child = unknown> {
  readonly id: string;
  readonly output: Ref<Output>;
  readonly state: Ref<string>;
  /** Of a spawner: what a child gives. */
  readonly child?: Type<Child>;
}

/** An edge that says more than where it comes from. */
export interface Edge {
  readonly from: PlacedNode;
  /** The edge is taken where this is true. */
  readonly condition?: string | Reference<boolean>;
  /** Target field → template: together they are the input of the node behind. */
  readonly mapping?: Readonly<Record<string, unknown>>;
  readonly timeout?: string;
}

export type Upstream = PlacedNode | Edge;

/** What stands in scope of every node, and the way to add one. */
export interface PipelineBuilder<Input> {
  readonly input: Ref<Input>;
  readonly labels: Ref<Readonly<Record<string, string>>>;
  readonly execution: Ref<{ readonly id: string }>;
  readonly parent: Ref<{ readonly id: string }>;
  /**
   * Adds a node behind others: `add('report', http({ … }), after(join, { condition: cel`…` }))`. A merge stands behind its
   * spawner unless something else is named.
   */
  add<Output, Child>(
    id: string,
    node: NodeSpec<Output, Child>,
    ...upstream: readonly Upstream[]
  ): PlacedNode<Output, Child>;
}

/** An edge with a condition, a mapping or a time-out. */
export function after(from: PlacedNode, edge: Omit<Edge, 'from'>): Edge {
  return { from, ...edge };
}

/** The input that the mappings of its edges make for a node. */
export function mappedInput<T>(): Ref<T> {
  return refTo('input');
}

/** A secret of the executors, in `url`, `headers` and `body` of HTTP and in `env` of SHELL and SCRIPT only. */
export function secret(name: string): Reference<string> {
  return refTo<{ readonly [name: string]: string }>('secrets')[name]!;
}

/** A definition that no engine would take, with every defect and where it is. */
export class PipelineInvalid extends Error {
  override readonly name = 'PipelineInvalid';

  constructor(
    pipeline: string,
    readonly defects: readonly { readonly path: string; readonly message: string }[],
  ) {
    const told = defects.map(({ path, message }) => `\n  ${path || '(the whole)'}: ${message}`);
    super(`the pipeline ${pipeline} has ${defects.length} defect${defects.length === 1 ? '' : 's'}${told.join('')}`);
  }
}

/**
 * Defines a pipeline in code. Its `definition` is exactly the JSON that is published, checked by the rules of the engine;
 * types carry from node to node.
 * @param build adds the nodes; what it gives back, a node of the end, is the output of an execution
 * @throws PipelineInvalid with every defect
 */
export function definePipeline<Input = unknown, Output = unknown>(
  head: PipelineHead<Input>,
  build: (pipeline: PipelineBuilder<Input>) => PlacedNode<Output> | void,
): DefinedPipeline<Input, Output> {
  const { input: _input, ...facts } = head;
  const nodes: object[] = [];
  const edges: object[] = [];
  const add = <O, C>(id: string, node: NodeSpec<O, C>, ...upstream: readonly Upstream[]): PlacedNode<O, C> => {
    const { type, config, policy } = node;
    nodes.push({ id, type, ...policy, config });
    for (const one of upstream) edges.push(edgeTo(id, one));
    if (upstream.length === 0 && type === 'MERGE') edges.push({ from: config.of, to: id });
    return { id, output: refTo(`nodes.${id}.output`), state: refTo(`nodes.${id}.state`) };
  };
  build({
    input: refTo('input'),
    labels: refTo('labels'),
    execution: refTo('execution'),
    parent: refTo('parent'),
    add,
  });
  const definition = { ...(plain(facts) as { name: string }), nodes, ...(edges.length === 0 ? {} : { edges }) };
  const parsed = parsePipeline(exactText(definition));
  if (!parsed.ok) throw new PipelineInvalid(head.name, parsed.defects);
  return { name: head.name, definition, toJSON: () => definition };
}

function edgeTo(id: string, upstream: Upstream): object {
  if (!('from' in upstream)) return { from: upstream.id, to: id };
  const { from, condition, mapping, timeout } = upstream;
  const expression = expressionOf(condition) ?? condition;
  return plain({ from: from.id, to: id, condition: expression, mapping, timeout }) as object;
}
