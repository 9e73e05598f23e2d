/** Until when a WAIT waits, from its templates and the database's clock. */
import { parseDuration } from '../duration.js';
import { ExpressionFailure } from '../expression/expression-failure.js';
import type { Scope } from '../expression/scope.js';
import { evaluateTemplate, type Template } from '../expression/template.js';
import { jsonKind } from '../json/cut.js';
import { decodeString } from '../json/string-text.js';
import { isMoment } from '../moment.js';
import { maxDurationMs } from '../pipeline/fields.js';
import type { WaitConfig } from '../pipeline/plan.js';

/**
 * Milliseconds since 1970 at which the wait is over; a moment that has passed is over at once.
 * @param path of the node's configuration, as `nodes[2].config`
 * @throws ExpressionFailure when a template fails, or gives what is no duration of at most 10 years, or no time within 100
 */
export function waitsUntilMs(config: WaitConfig, path: string, scope: Scope, nowMs: number): number {
  if (config.duration) {
    const text = textOf(config.duration, scope);
    const ms = text === null ? null : parseDuration(text);
    if (ms === null || ms > maxDurationMs)
      throw refusal(config.duration, `${path}.duration`, scope, 'must give a duration of at most 10 years');
    return nowMs + ms;
  }
  const text = textOf(config.until!, scope);
  const moment = text !== null && isMoment(text) ? Date.parse(text) : null;
  if (moment === null || moment > nowMs + 10 * maxDurationMs)
    throw refusal(
      config.until!,
      `${path}.until`,
      scope,
      'must give a time like "2030-01-31T08:00:00Z" within 100 years',
    );
  return moment;
}

function textOf(template: Template, scope: Scope): string | null {
  const value = evaluateTemplate(template, scope);
  return jsonKind(value) === 'string' ? decodeString(value) : null;
}

function refusal(template: Template, path: string, scope: Scope, what: string): ExpressionFailure {
  const given = evaluateTemplate(template, scope).slice(0, 100);
  return new ExpressionFailure(template.source, path, `${what}, gives ${given}`, scope.index);
}
