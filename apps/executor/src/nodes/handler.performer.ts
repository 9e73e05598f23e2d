import { evaluateTemplate, type HandlerConfig } from '@app/domain';
import type { HandlerContext, HandlerLog, Progress } from '@app/sdk';
import { endingOfResult, endingOfThrown, textOf } from '@app/sdk/handlers/handler-outcome.js';
import { progressLines } from '@app/sdk/handlers/progress.js';
import { targetOfName, targetOfNode } from '../destinations/target.js';
import type { Clock } from '@app/runtime';
import { taskId } from '../running/claimed-task.js';
import type { LogLevel } from '../running/performer.js';
import type { HandlerRegistry } from './handler-registry.js';
import { NotNow, patience, type Ending, type NodePerformer, type Performance } from './performance.js';

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
      result = await handle(new HandlerCall(performance, text, this.clock) as HandlerContext as HandlerContext<never>);
    } catch (error) {
      if (performance.signal.aborted) return { outcome: { kind: 'interrupted' } };
      const { outcome, destination } = endingOfThrown(error);
      const target = destination === null ? null : targetOfName(destination);
      if (!target || (outcome.kind === 'failed' && outcome.class === 'PERMANENT')) return { outcome };
      // It is the handler that knows whether its destination is in trouble: one that it names.
      performance.ended(target, outcome.kind === 'snoozed' ? 'busy' : 'failing', began);
      return { outcome, target };
    }
    performance.ended(targetOfNode(task.node), 'answered', began);
    return { outcome: endingOfResult(result).outcome };
  }
}

/** Parses, and makes what it is asked for, when it is asked for it: most handlers use little of it. */
class HandlerCall implements HandlerContext {
  readonly executionId: string;
  readonly idempotencyKey: string;
  readonly attempt: number;
  #parsed: { value: unknown } | null = null;
  #log: HandlerLog | null = null;
  #progress: Progress | null = null;
  readonly #performance: Performance;

  constructor(
    performance: Performance,
    readonly inputText: string,
    private readonly clock: Clock,
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

  get progress(): Progress {
    return (this.#progress ??= progressLines(
      (message, fields) => this.log.info(message, fields),
      () => this.clock.monotonic(),
    ));
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
