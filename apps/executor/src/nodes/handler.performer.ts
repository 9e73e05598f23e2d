import { evaluateTemplate, ExpressionFailure, parseDuration, type ErrorClass, type FailureDetail, type HandlerConfig, type Outcome } from '@app/domain';
import { taskId, type ClaimedTask } from '../running/claimed-task.js';
import type { AttemptContext, LogLevel, Performer } from '../running/performer.js';
import type { HandlerContext, HandlerRegistry } from './handler-registry.js';

/** How long a task waits for an executor that knows its handler. */
const unknownHandlerWaitMs = 5_000;

/** HANDLER: a registered function of this executor. */
export class HandlerPerformer implements Performer {
  readonly type = 'HANDLER' as const;

  constructor(private readonly registry: HandlerRegistry) {}

  async perform(task: ClaimedTask, context: AttemptContext): Promise<Outcome> {
    const config = task.node.config as HandlerConfig;
    const handle = this.registry.get(config.handler);
    if (!handle) return unknownHandler(config.handler);
    try {
      const text = config.input === null ? task.input : evaluateTemplate(config.input, task.scope);
      const output = await handle(handlerContext(task, context, text) as HandlerContext<never>);
      return { kind: 'succeeded', output: output === undefined ? null : JSON.stringify(output) };
    } catch (error) {
      return handlerFailure(error);
    }
  }
}

function handlerContext(task: ClaimedTask, context: AttemptContext, text: string): HandlerContext {
  let parsed: { value: unknown } | null = null;
  const at = (level: LogLevel) => (message: string, fields?: Readonly<Record<string, unknown>>) => context.log(level, String(message), fields);
  const log = Object.assign(at('info'), { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') });
  return {
    get input() {
      return (parsed ??= { value: JSON.parse(text) as unknown }).value;
    },
    inputText: text,
    executionId: task.executionId,
    idempotencyKey: taskId(task),
    attempt: task.attempt,
    signal: context.signal,
    log,
  };
}

function handlerFailure(error: unknown): Outcome {
  if (error instanceof ExpressionFailure) return failed('PERMANENT', { code: 'EXPRESSION.FAILED', message: error.message, expression: error.expression, path: error.path });
  const e = (typeof error === 'object' && error !== null ? error : { message: String(error) }) as {
    message?: string;
    code?: unknown;
    fanfold?: string;
    retryAfter?: number | string;
    destination?: string;
  };
  const code = typeof e.code === 'string' && e.code !== '' ? e.code : 'HANDLER.FAILED';
  const facts = { code, message: String(e.message ?? error).slice(0, 4_000) };
  if (e.fanfold === 'permanent') return failed('PERMANENT', facts);
  const waitMs = e.fanfold === 'transient' ? waitOf(e.retryAfter) : null;
  if (waitMs !== null)
    return {
      kind: 'snoozed',
      waitMs,
      error: { class: 'TRANSIENT', ...facts, ...(e.destination ? { destination: e.destination } : {}) },
    };
  return failed('TRANSIENT', facts);
}

function waitOf(retryAfter: number | string | undefined): number | null {
  if (typeof retryAfter === 'number' && Number.isFinite(retryAfter) && retryAfter >= 0) return retryAfter * 1_000;
  return typeof retryAfter === 'string' ? parseDuration(retryAfter) : null;
}

function failed(class_: ErrorClass, facts: Omit<FailureDetail, 'class'> & { code: string; message: string }): Outcome {
  return { kind: 'failed', class: class_, error: { class: class_, ...facts } };
}

function unknownHandler(name: string): Outcome {
  return {
    kind: 'snoozed',
    waitMs: unknownHandlerWaitMs,
    error: { class: 'TRANSIENT', code: 'HANDLER.UNKNOWN', message: `this executor has no handler ${name}` },
  };
}
