/** How the end of an attempt is told among the events. */
import type { AttemptEnd } from '../task/attempt-end.js';
import type { EventDraft } from './execution-decision.js';
import { outcomeName } from './node-failure.js';
import type { TaskSnapshot } from './snapshot.js';

export function factOfEnd(task: TaskSnapshot, end: AttemptEnd): EventDraft {
  const { node, attempt } = task;
  const error = task.error ? `,"error":${task.error}` : '';
  const ended = (charged: boolean, more = '') =>
    `{"outcome":${JSON.stringify(outcomeName(task))},"charged":${charged}${more}${error}}`;
  switch (end.kind) {
    case 'succeeded':
      return { kind: 'attempt_succeeded', node, attempt, data: null };
    case 'again':
      return {
        kind: 'retrying',
        node,
        attempt,
        data: ended(end.charged >= task.charged, `,"availableInMs":${end.delayMs}`),
      };
    default:
      return { kind: end.kind === 'failed' ? 'attempt_failed' : 'attempt_ended', node, attempt, data: ended(true) };
  }
}
