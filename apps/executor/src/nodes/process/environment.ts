import {
  decodeString,
  evaluateTemplate,
  jsonKind,
  sliceMembers,
  squeeze,
  type Scope,
  type Template,
} from '@app/domain';
import { taskId, type ClaimedTask } from '../../running/claimed-task.js';
import { AttemptFailure } from '../performance.js';
import { inheritedVariables } from './inherited-variables.js';

/**
 * The environment of a process: a few inherited variables, the node's own, and those that name the attempt.
 * @throws ExpressionFailure, MissingSecret, AttemptFailure (permanent)
 */
export function environmentOf(
  template: Template,
  task: ClaimedTask,
  scope: Scope,
  own: Readonly<NodeJS.ProcessEnv> = process.env,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of inheritedVariables) if (own[name] !== undefined) environment[name] = own[name];
  for (const [name, value] of sliceMembers(evaluateTemplate(template, scope)))
    Object.defineProperty(environment, name, {
      value: variable(name, value),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  environment.FANFOLD_EXECUTION_ID = task.executionId;
  environment.FANFOLD_IDEMPOTENCY_KEY = taskId(task);
  environment.FANFOLD_ATTEMPT = String(task.attempt);
  return environment;
}

function variable(name: string, value: string): string {
  const plain = jsonKind(value) === 'string' ? decodeString(value) : squeeze(value);
  if (!plain.includes('\0')) return plain;
  throw new AttemptFailure(
    'PERMANENT',
    'SHELL.ENVIRONMENT_INVALID',
    `the value of ${name} holds a NUL, which no environment can carry`,
  );
}
