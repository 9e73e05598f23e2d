/** The node types whose configuration is one or two templates. */
import { parseDuration } from '../../duration.js';
import { literalTemplate, type Template } from '../../expression/template.js';
import { encodeString } from '../../json/string-text.js';
import { maxDurationMs, type Fields } from '../fields.js';
import { isMoment } from '../../moment.js';
import { keyRule } from '../name-rule.js';
import type { HandlerConfig, SignalConfig, TransformConfig, WaitConfig } from '../plan.js';

export function readHandler(config: Fields): HandlerConfig | null {
  const handler = config.requiredString('handler', keyRule);
  const input = config.template('input');
  return handler === null ? null : { type: 'HANDLER', handler, input };
}

export function readTransform(config: Fields): TransformConfig | null {
  config.required('output');
  const output = config.template('output');
  return output && { type: 'TRANSFORM', output };
}

export function readWait(config: Fields): WaitConfig | null {
  const duration = config.textTemplate('duration');
  const until = config.textTemplate('until');
  if (config.has('duration') === config.has('until')) {
    config.place.report.add(config.path, 'needs either duration or until');
    return null;
  }
  const length = constant(duration);
  const ms = length === null ? 0 : parseDuration(length);
  if (ms === null || ms > maxDurationMs)
    config.report('duration', `must be a duration of at most 10 years, is ${encodeString(length!)}`);
  const moment = constant(until);
  if (moment !== null && !isMoment(moment))
    config.report('until', `must be a time like "2030-01-31T08:00:00Z", is ${encodeString(moment)}`);
  return { type: 'WAIT', duration, until };
}

function constant(template: Template | null): string | null {
  return template?.isConstant ? template.literalPrefix : null;
}

/** `name` is never a template; `timeout` is read with the node's own. */
export function readSignal(config: Fields): SignalConfig | null {
  const name = config.requiredString('name', keyRule);
  return name === null ? null : { type: 'SIGNAL', name: literalTemplate(encodeString(name)) };
}
