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

/** Gives a handler its types. */
export function defineHandler<Input = unknown, Output = unknown>(
  handle: (context: HandlerContext<Input>) => Output | Promise<Output>,
): HandlerFunction<Input, Output> {
  return handle as HandlerFunction<Input, Output>;
}
