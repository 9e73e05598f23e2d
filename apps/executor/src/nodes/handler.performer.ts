import { checkJson, evaluateTemplate, parseDuration, type HandlerConfig } from '@app/domain';
import type { HandlerContext, HandlerLog } from '@app/sdk';
import { targetOfName, targetOfNode } from '../destinations/target.js';
import type { Clock } from '@app/runtime';
import { taskId } from '../running/claimed-task.js';
import type { LogLevel } from '../running/performer.js';
import type { HandlerRegistry } from './handler-registry.js';
import { AttemptFailure, NotNow, patience, type Ending, type NodePerformer, type Performance } from './performance.js';

const longestMessage = 4_000;

/** HANDLER: a registered function of this executor. */
export class HandlerPerformer implements NodePerformer {
  readonly type = 'HANDLER' as const;

  constructor(
    private readonly registry: HandlerRegistry,
    private readonly clock: Clock,
  ) {}

  async perform(performance: Performance): Promise<Ending> {
    const { task, scope } = performance;
    const began = this.clock.monotonic();
    const config = task.node.config as HandlerConfig;
    const handle = this.registry.get(config.handler);
    if (!handle)
      throw new NotNow(
        'HANDLER.UNKNOWN',
        `this executor has no handler ${config.handler}`,
        patience(task.attempt, 5_000, 60_000),
      );
    const text = config.input === null ? scope.input : evaluateTemplate(config.input, scope);
    let result: unknown;
    try {
      result = await handle(new HandlerCall(performance, text) as HandlerContext as HandlerContext<never>);
    } catch (error) {
      if (performance.signal.aborted) return { outcome: { kind: 'interrupted' } };
      const ending = failureOf(error);
      // It is the handler that knows whether its destination is in trouble: one that it names.
      if (ending.target && ending.outcome.kind !== 'succeeded')
        performance.ended(ending.target, ending.outcome.kind === 'snoozed' ? 'busy' : 'failing', began);
      return ending;
    }
    performance.ended(targetOfNode(task.node), 'answered', began);
    return { outcome: { kind: 'succeeded', output: outputText(result) } };
  }
}

/** Parses, and makes what it is asked for, when it is asked for it: most handlers use little of it. */
class HandlerCall implements HandlerContext {
  readonly executionId: string;
  readonly idempotencyKey: string;
  readonly attempt: number;
  #parsed: { value: unknown } | null = null;
  #log: HandlerLog | null = null;
  readonly #performance: Performance;

  constructor(
    performance: Performance,
    readonly inputText: string,
  ) {
    const { task } = performance;
    this.#performance = performance;
    this.executionId = task.executionId;
    this.idempotencyKey = taskId(task);
    this.attempt = task.attempt;
  }

  get input(): unknown {
    return (this.#parsed ??= { value: JSON.parse(this.inputText) as unknown }).value;
  }

  get signal(): AbortSignal {
    return this.#performance.signal;
  }

  get log(): HandlerLog {
    return (this.#log ??= handlerLog(this.#performance));
  }
}

function handlerLog(performance: Performance): HandlerLog {
  const at = (level: LogLevel) => (message: string, fields?: Readonly<Record<string, unknown>>) =>
    performance.log(level, textOf(message), loggable(fields));
  return Object.assign(at('info'), { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') });
}

/** Fields that no JSON can hold must not make a failure of the attempt that logs them. */
function loggable(
  fields: Readonly<Record<string, unknown>> | undefined,
): Readonly<Record<string, unknown>> | undefined {
  try {
    return fields && typeof JSON.stringify(fields) === 'string' ? fields : undefined;
  } catch {
    return { unreadable: Object.keys(fields!).join(', ') };
  }
}

/** @throws AttemptFailure (permanent) when it is no JSON */
function outputText(result: unknown): string | null {
  if (result === undefined) return null;
  const exact = exactText(result);
  if (exact !== null) {
    const defect = checkJson(exact);
    if (defect) throw invalidOutput(defect.message);
    return exact.trim();
  }
  let text: string | undefined;
  try {
    text = JSON.stringify(result);
  } catch (error) {
    throw invalidOutput(textOf((error as Error | null)?.message).split('\n')[0]!);
  }
  if (text === undefined) throw invalidOutput(`it is a ${typeof result}`);
  return text;
}

function exactText(result: unknown): string | null {
  const { fanfold, text } = (typeof result === 'object' && result !== null ? result : {}) as {
    fanfold?: unknown;
    text?: unknown;
  };
  return fanfold === 'json' && typeof text === 'string' ? text : null;
}

function invalidOutput(why: string): AttemptFailure {
  return new AttemptFailure(
    'PERMANENT',
    'HANDLER.OUTPUT_INVALID',
    `what the handler returned is no JSON: ${why}`.slice(0, longestMessage),
  );
}

interface Thrown {
  readonly message?: unknown;
  readonly code?: unknown;
  readonly fanfold?: unknown;
  readonly retryAfter?: unknown;
  readonly destination?: unknown;
}

/** What a handler threw. What says nothing about itself is worth another attempt. */
function failureOf(error: unknown): Ending {
  const thrown = (typeof error === 'object' && error !== null ? error : { message: error }) as Thrown;
  const class_ = thrown.fanfold === 'permanent' ? 'PERMANENT' : 'TRANSIENT';
  const code = typeof thrown.code === 'string' && thrown.code !== '' ? thrown.code.slice(0, 128) : 'HANDLER.FAILED';
  const destination = typeof thrown.destination === 'string' ? thrown.destination : null;
  const facts = {
    class: class_,
    code,
    message: textOf(thrown.message).slice(0, longestMessage),
    ...(destination ? { destination } : {}),
  } as const;
  const waitMs = thrown.fanfold === 'transient' ? waitOf(thrown.retryAfter) : null;
  const target = destination === null ? null : targetOfName(destination);
  if (waitMs === null)
    return {
      outcome: { kind: 'failed', class: class_, error: facts },
      ...(target && class_ === 'TRANSIENT' ? { target } : {}),
    };
  return { outcome: { kind: 'snoozed', waitMs, error: facts }, ...(target ? { target } : {}) };
}

function waitOf(retryAfter: unknown): number | null {
  if (typeof retryAfter === 'number') return Number.isFinite(retryAfter) && retryAfter >= 0 ? retryAfter * 1_000 : null;
  if (typeof retryAfter !== 'string') return null;
  return /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1_000 : parseDuration(retryAfter);
}

/** Text of anything, even of what has none. */
function textOf(value: unknown): string {
  try {
    return typeof value === 'string' ? value : String(value);
  } catch {
    return 'something that cannot be shown';
  }
}
