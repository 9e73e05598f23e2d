import type { StandardSchemaV1 } from '@standard-schema/spec';
import { exactText, parseExact } from '../client/exact-numbers.js';
import { exactJson } from './exact-json.js';
import { PermanentError } from './handler-error.js';
import type { Progress } from './progress.js';

/** What a handler is given for one attempt. */
export interface HandlerContext<Input = unknown> {
  readonly input: Input;
  /** The exact JSON text of the input, for numbers that JavaScript would round. */
  readonly inputText: string;
  readonly executionId: string;
  /** Stable across attempts, retries and redrives: send it outward as the idempotency key. */
  readonly idempotencyKey: string;
  /** Grows by one at every claim. */
  readonly attempt: number;
  /** Aborted when the attempt timed out, was cancelled, or the executor stops. */
  readonly signal: AbortSignal;
  readonly log: HandlerLog;
  /** Says how far it is, as lines of the log; to be called as often as you like. */
  readonly progress: Progress;
}

export interface HandlerLog {
  (message: string, fields?: Readonly<Record<string, unknown>>): void;
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** A handler: what it returns (JSON, or nothing) is the task's output. */
export type HandlerFunction<Input = never, Output = unknown> = (
  context: HandlerContext<Input>,
) => Output | Promise<Output>;

type Handle<Input, Output> = (context: HandlerContext<Input>) => Output | Promise<Output>;

/** Gives a handler its types. */
export function defineHandler<Input = unknown, Output = unknown>(
  handle: Handle<Input, Output>,
): HandlerFunction<Input, Output>;
/**
 * A handler whose input is checked by a schema of any library that follows Standard Schema (zod, valibot, arktype, …), and has
 * its type. The schema sees integers that a JavaScript number would round as `bigint`; what the handler returns may hold
 * `bigint` too. An input that the schema refuses is a permanent failure, `HANDLER.INPUT_INVALID`, with the path of each issue.
 */
export function defineHandler<Schema extends StandardSchemaV1, Output>(
  schema: Schema,
  handle: Handle<StandardSchemaV1.InferOutput<Schema>, Output>,
): HandlerFunction<StandardSchemaV1.InferInput<Schema>, Output>;
export function defineHandler(
  first: StandardSchemaV1 | Handle<never, unknown>,
  handle?: Handle<never, unknown>,
): HandlerFunction {
  // A schema may be a function itself, as those of arktype are.
  if (handle === undefined) return first as HandlerFunction;
  const schema = first as StandardSchemaV1;
  return async (context: HandlerContext) => {
    const input = await checked(schema, parseExact(context.inputText));
    const result = await handle(withInput(context, input as never));
    return holdsBigInt(result) ? exactJson(exactText(result)) : result;
  };
}

async function checked(schema: StandardSchemaV1, value: unknown): Promise<unknown> {
  const read = await schema['~standard'].validate(value);
  if (!read.issues) return read.value;
  const told = read.issues.slice(0, 10).map(({ path, message }) => `${pathText(path)}: ${message}`);
  throw new PermanentError(`the input is not what this handler takes: ${told.join('; ')}`, {
    code: 'HANDLER.INPUT_INVALID',
  });
}

function pathText(path: StandardSchemaV1.Issue['path']): string {
  const parts = (path ?? []).map((part) => (typeof part === 'object' ? part.key : part));
  const text = parts.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return `input${text}`;
}

/** The same attempt with another input: what is costly to make stays unmade until it is asked for. */
function withInput<Input>(context: HandlerContext, input: Input): HandlerContext<Input> {
  const { inputText, executionId, idempotencyKey, attempt } = context;
  return {
    input,
    inputText,
    executionId,
    idempotencyKey,
    attempt,
    get signal() {
      return context.signal;
    },
    get log() {
      return context.log;
    },
    get progress() {
      return context.progress;
    },
  };
}

function holdsBigInt(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint';
  return Object.values(value).some(holdsBigInt);
}
