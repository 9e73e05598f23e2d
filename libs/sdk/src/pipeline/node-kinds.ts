import type { ExactJson } from '../handlers/exact-json.js';
import type { HandlerFunction } from '../handlers/handler.js';
import type { DefinedPipeline } from './defined-pipeline.js';
import { plain, type Reference, type Resolved, type Templated } from './reference.js';
import type { Type } from './type.js';

export type NodeType =
  'HTTP' | 'SHELL' | 'SCRIPT' | 'HANDLER' | 'TRANSFORM' | 'SPAWNER' | 'MERGE' | 'WAIT' | 'SIGNAL' | 'PIPELINE';

/** What every node may have. Durations are texts such as `"10s"`. */
export interface NodePolicy {
  readonly retry?: {
    /** The first included. */
    readonly maxAttempts?: number;
    readonly initialDelay?: string;
    readonly backoff?: number;
    readonly maxDelay?: string;
    readonly jitter?: number;
  };
  readonly errors?: readonly {
    readonly status?: number;
    readonly code?: string;
    readonly match?: string;
    readonly treatAs: 'PERMANENT' | 'TRANSIENT' | 'SUCCEEDED';
  }[];
  /** Of one attempt. */
  readonly timeout?: string;
  /** Tasks of this node at once, over all executions. */
  readonly maxConcurrency?: number;
  readonly queue?: string;
  /** Bytes. */
  readonly maxOutput?: number;
  readonly join?: 'ALL_SUCCEEDED' | 'ALL_DONE' | 'ANY_SUCCEEDED';
  readonly destinations?: readonly (
    string | { readonly name: string; readonly cost?: number | string | Reference<number> }
  )[];
}

/** A node without its id: what is done, and the type of what it gives. */
export interface NodeSpec<Output = unknown, Child = unknown> {
  readonly type: NodeType;
  /** Plain JSON. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly policy: NodePolicy;
  readonly output?: Type<Output>;
  /** Of a spawner: what a child gives. */
  readonly child?: Type<Child>;
}

export function nodeSpec<Output, Child = unknown>(
  type: NodeType,
  config: object,
  policy: NodePolicy = {},
): NodeSpec<Output, Child> {
  return { type, config: plain(config) as Record<string, unknown>, policy: plain(policy) as NodePolicy };
}

type Text = string | Reference<string>;
type Texts = Readonly<Record<string, string | number | boolean | Reference<string | number | boolean>>>;

export interface HttpConfig {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  readonly url: Text;
  readonly headers?: Texts;
  /** Any JSON, with templates. */
  readonly body?: unknown;
  /** Statuses that succeed. */
  readonly expect?: readonly (number | string)[];
  readonly redirects?: number;
}

export interface HttpOutput<Body> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}

/** `http({ method: 'POST', url, body }, { retry }, type<Answer>())` */
export function http<Body = unknown>(
  config: HttpConfig,
  policy?: NodePolicy,
  _body?: Type<Body>,
): NodeSpec<HttpOutput<Body>> {
  return nodeSpec('HTTP', config, policy);
}

export interface ShellConfig {
  readonly command: readonly (string | number | boolean | Reference<string | number | boolean>)[];
  readonly env?: Texts;
  readonly stdin?: unknown;
  readonly maxOutput?: number;
  readonly permanentExitCodes?: readonly (number | string)[];
}

/** A program: what it prints is the output, JSON where it parses, else text. */
export function shell<Output = unknown>(
  config: ShellConfig,
  policy?: NodePolicy,
  _output?: Type<Output>,
): NodeSpec<Output> {
  return nodeSpec('SHELL', config, policy);
}

export interface ScriptConfig {
  readonly language: 'python' | 'node';
  /** Never a template: the input arrives on stdin. */
  readonly source: string;
  readonly env?: Texts;
  readonly permanentExitCodes?: readonly (number | string)[];
}

export function script<Output = unknown>(
  config: ScriptConfig,
  policy?: NodePolicy,
  _output?: Type<Output>,
): NodeSpec<Output> {
  return nodeSpec('SCRIPT', config, policy);
}

/** A value made of references; no executor is involved. Its type is that of the value. */
export function transform<const Value>(output: Value, policy?: NodePolicy): NodeSpec<Resolved<Value>> {
  return nodeSpec('TRANSFORM', { output }, policy);
}

/** Ends when it is due: `{ duration: "30d" }` or `{ until: "2030-01-31T08:00:00Z" }`. */
export function wait(
  config: { readonly duration: Text } | { readonly until: Text },
  policy?: NodePolicy,
): NodeSpec<null> {
  return nodeSpec('WAIT', config, policy);
}

/** Waits for a signal; its body is the output. */
export function signal<Body = unknown>(
  config: { readonly name: string; readonly timeout?: string },
  policy?: NodePolicy,
  _body?: Type<Body>,
): NodeSpec<Body> {
  return nodeSpec('SIGNAL', config, policy);
}

/** One child execution of another pipeline; its output is the node's. */
export function pipelineNode<Input, Output>(
  pipeline: DefinedPipeline<Input, Output>,
  config?: { readonly input?: Templated<NoInfer<Input>> },
  policy?: NodePolicy,
): NodeSpec<Output>;
export function pipelineNode<Output = unknown>(
  pipeline: string,
  config?: { readonly input?: unknown },
  policy?: NodePolicy,
  output?: Type<Output>,
): NodeSpec<Output>;
export function pipelineNode(
  pipeline: string | DefinedPipeline,
  config: { readonly input?: unknown } = {},
  policy?: NodePolicy,
): NodeSpec {
  return nodeSpec('PIPELINE', { pipeline: nameOf(pipeline), ...config }, policy);
}

export function nameOf(pipeline: string | { readonly name: string }): string {
  return typeof pipeline === 'string' ? pipeline : pipeline.name;
}

type InputOf<Handle> = Handle extends HandlerFunction<infer Input, infer _Output> ? Input : unknown;
type OutputOf<Handle> = Handle extends (...given: never) => infer Output ? ValueOf<Awaited<Output>> : unknown;
type ValueOf<Output> = Output extends ExactJson<infer T> ? T : Output;

/**
 * Nodes of the handlers of a module, with their types and without importing it:
 * `import type * as handlers from …`, `const handler = handlersOf<typeof handlers>()`, then `handler('closeMonth', { failed: join.output.failed })`.
 */
export function handlersOf<Handlers extends object>() {
  return <Name extends keyof Handlers & string>(
    name: Name,
    input?: Templated<InputOf<Handlers[Name]>>,
    policy?: NodePolicy,
  ): NodeSpec<OutputOf<Handlers[Name]>> => nodeSpec('HANDLER', { handler: name, input }, policy);
}
