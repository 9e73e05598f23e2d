import type { ExpressionFailure } from '../expression/expression-failure.js';
import type { FailureDetail } from '../failure/failure-detail.js';
import type { TaskSnapshot } from './snapshot.js';

export function outcomeName(task: TaskSnapshot): string {
  switch (task.outcome) {
    case 'timed_out':
      return 'TIMED_OUT';
    case null:
      return 'UNKNOWN';
    default:
      return task.outcome.toUpperCase();
  }
}

export function failure(class_: FailureDetail['class'], code: string, message: string, nodeId: string): string {
  return JSON.stringify({ class: class_, code, message, nodeId });
}

export function expressionFailure(error: ExpressionFailure, nodeId: string): string {
  return JSON.stringify({
    class: 'PERMANENT',
    code: 'EXPRESSION.FAILED',
    message: error.message,
    nodeId,
    expression: error.expression,
    path: error.path,
    ...(error.itemIndex === undefined ? {} : { itemIndex: error.itemIndex }),
  });
}

export function isToleranceFailure(reason: string | null): boolean {
  return reason !== null && reason.includes('"class":"TOLERANCE_EXCEEDED"');
}

export function cancelledByFailFast(nodeId: string): string {
  return failure('CANCELLED', 'FAN_OUT.CLOSED', 'the fan-out was closed early by its failure budget', nodeId);
}

/** The same failure with the node it is shown at. */
export function withNode(error: string | null, nodeId: string, attempt?: number): string {
  const detail = (
    error ? JSON.parse(error) : { class: 'PERMANENT', code: 'NODE.FAILED', message: 'the node failed' }
  ) as FailureDetail;
  return JSON.stringify({ ...detail, nodeId, ...(attempt ? { attempt } : {}) });
}
