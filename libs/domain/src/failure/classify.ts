/**
 * Which failures are worth another attempt (design 4.8). Transient: 408, 425, 5xx but 501 and 505. Snoozed, uncharged,
 * with the whole destination waiting: 429, and 503 with Retry-After. Everything else that did not succeed is permanent:
 * other 4xx, 3xx that is not followed, 501, 505, and 1xx and 2xx that the node did not expect.
 */
import type { ErrorRule } from '../pipeline/plan.js';
import type { FailureDetail } from './failure-detail.js';

export type StatusClass = 'permanent' | 'transient' | 'snoozed';

/** @param retryAfterMs what `parseRetryAfter` found in the answer */
export function classifyStatus(
  status: number,
  { retryAfterMs }: { readonly retryAfterMs: number | null },
): StatusClass {
  if (status === 429) return 'snoozed';
  if (status === 503) return retryAfterMs === null ? 'transient' : 'snoozed';
  if (status === 408 || status === 425) return 'transient';
  if (status === 501 || status === 505) return 'permanent';
  return status >= 500 && status <= 599 ? 'transient' : 'permanent';
}

/**
 * What the node's own rules make of a failure: the first rule decides whose every given part agrees (`match` is a
 * substring of the message). Null where none does.
 */
export function applyErrorRules(
  rules: readonly ErrorRule[],
  failure: Pick<FailureDetail, 'status' | 'code' | 'message'>,
): ErrorRule['treatAs'] | null {
  const rule = rules.find(
    ({ status, code, match }) =>
      (status === undefined || status === failure.status) &&
      (code === undefined || code === failure.code) &&
      (match === undefined || failure.message.includes(match)),
  );
  return rule?.treatAs ?? null;
}
