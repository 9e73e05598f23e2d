import {
  applyErrorRules,
  ExpressionFailure,
  MissingSecret,
  type FailureDetail,
  type Outcome,
  type Scope,
} from '@app/domain';
import type { CallEnd, DestinationThrottle } from '../destinations/destination-throttle.js';
import type { Target } from '../destinations/target.js';
import type { ClaimedTask } from '../running/claimed-task.js';
import type { AttemptContext, LogLevel, Performer } from '../running/performer.js';
import { AttemptScope } from './attempt-scope.js';
import { maxOutputOf, outputTooLarge } from './output-limit.js';
import { AttemptFailure, NotNow, patience, type Ending, type NodePerformer, type Performance } from './performance.js';
import type { AttemptSecrets, Secrets } from './secrets.js';

/** The longest that a task is put back at a destination's wish. */
const longestSnoozeMs = 3_600_000;

/**
 * What all node types have in common, around the performer of one: secrets are opened and taken out of everything that leaves,
 * errors become outcomes, the node's own error rules and the limit of its output apply, and the destination is slowed or
 * sped up.
 */
export class AttemptPerformer implements Performer {
  readonly type: NodePerformer['type'];

  constructor(
    private readonly inner: NodePerformer,
    private readonly secrets: Secrets,
    private readonly throttle: DestinationThrottle,
  ) {
    this.type = inner.type;
  }

  async perform(task: ClaimedTask, context: AttemptContext): Promise<Outcome> {
    const secrets = this.secrets.open();
    const ending = await this.run(task, context, secrets);
    const outcome = withinLimits(task, applyRules(task, ending));
    if (ending.target && outcome.kind === 'snoozed')
      this.throttle.slow(ending.target, outcome.waitMs, ending.itself ?? true);
    return redacted(outcome, secrets);
  }

  private async run(task: ClaimedTask, context: AttemptContext, secrets: AttemptSecrets): Promise<Ending> {
    try {
      return await this.inner.perform(new OneAttempt(task, context, secrets, this.throttle));
    } catch (error) {
      if (context.signal.aborted) return { outcome: { kind: 'interrupted' } };
      return { outcome: outcomeOf(error, task) };
    }
  }
}

/** A class, as literals with accessors and functions are slow to make. */
class OneAttempt implements Performance {
  readonly maxOutput: number;

  constructor(
    readonly task: ClaimedTask,
    private readonly context: AttemptContext,
    readonly secrets: AttemptSecrets,
    private readonly throttle: DestinationThrottle,
  ) {
    this.maxOutput = maxOutputOf(task);
  }

  get scope(): Scope {
    return new AttemptScope(this.task.scope, this.secrets);
  }

  get signal(): AbortSignal {
    return this.context.signal;
  }

  ended(target: Target, end: CallEnd, began: number): void {
    this.throttle.ended(target, end, began, this.task.learns);
  }

  log(level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>): void {
    const { secrets } = this;
    this.context.log(level, secrets.redact(message), fields && secrets.redactFields(fields));
  }
}

function outcomeOf(error: unknown, task: ClaimedTask): Outcome {
  if (error instanceof AttemptFailure)
    return failed({ ...error.facts, class: error.failureClass, code: error.code, message: error.message });
  if (error instanceof NotNow) return snoozed(error.waitMs, error.code, error.message, error.facts);
  if (error instanceof MissingSecret) {
    const facts = { reason: error.code, secret: error.secret };
    return snoozed(patience(task.attempt, 5_000, 60_000), 'SECRET.MISSING', error.message, facts);
  }
  if (error instanceof ExpressionFailure) {
    const { code, message, expression, path, itemIndex } = error;
    return failed({
      class: 'PERMANENT',
      code,
      message,
      expression,
      path,
      ...(itemIndex === undefined ? {} : { itemIndex }),
    });
  }
  throw error;
}

function snoozed(waitMs: number, code: string, message: string, facts: Record<string, unknown> = {}): Outcome {
  return { kind: 'snoozed', waitMs, error: { ...facts, class: 'TRANSIENT', code, message } };
}

function failed(error: FailureDetail): Outcome {
  return { kind: 'failed', class: error.class, error };
}

/** The first rule of the node that agrees decides what the failure is. What only has to wait is no failure. */
function applyRules(task: ClaimedTask, { outcome, output = null, matchable }: Ending): Outcome {
  if (outcome.kind !== 'failed' && outcome.kind !== 'snoozed') return outcome;
  if (outcome.kind === 'snoozed' && waitingCodes.has(outcome.error.code)) return outcome;
  const { error } = outcome;
  const message = matchable === undefined ? error.message : `${error.message}\n${matchable}`;
  const verdict = applyErrorRules(task.node.errors, { ...error, message });
  if (verdict === null) return outcome;
  if (verdict === 'SUCCEEDED')
    return output instanceof AttemptFailure ? outcomeOf(output, task) : { kind: 'succeeded', output };
  return failed({ ...error, class: verdict });
}

const waitingCodes = new Set([
  'DESTINATION.PAUSED',
  'SECRET.MISSING',
  'HANDLER.UNKNOWN',
  'DESTINATION.FULL',
  'DESTINATION.THROTTLED',
  'DESTINATION.UNKNOWN',
]);

function withinLimits(task: ClaimedTask, outcome: Outcome): Outcome {
  if (outcome.kind === 'snoozed') {
    const most = waitingCodes.has(outcome.error.code)
      ? longestSnoozeMs
      : Math.min(longestSnoozeMs, task.node.retry.maxDelayMs);
    return { ...outcome, waitMs: Math.round(Math.min(outcome.waitMs, most)) };
  }
  if (outcome.kind !== 'succeeded' || outcome.output === null) return outcome;
  const most = maxOutputOf(task);
  if (outcome.output.length * 3 <= most || Buffer.byteLength(outcome.output) <= most) return outcome;
  const { code, message } = outputTooLarge(most);
  return failed({ class: 'PERMANENT', code, message });
}

function redacted(outcome: Outcome, secrets: AttemptSecrets): Outcome {
  if (!secrets.used) return outcome;
  if (outcome.kind === 'succeeded')
    return outcome.output === null ? outcome : { kind: 'succeeded', output: secrets.redactJson(outcome.output) };
  if (outcome.kind !== 'failed' && outcome.kind !== 'snoozed') return outcome;
  return { ...outcome, error: secrets.redactFields(outcome.error) as FailureDetail };
}
