/** How often and when an attempt is made again (api.md, `retry`). `maxAttempts` includes the first. */
export interface RetryPolicy {
  readonly maxAttempts: number;
  readonly initialDelayMs: number;
  readonly backoff: number;
  readonly maxDelayMs: number;
  /** Share of the delay that is spread at random, 0..1. */
  readonly jitter: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  maxAttempts: 4,
  initialDelayMs: 10_000,
  backoff: 2,
  maxDelayMs: 3_600_000,
  jitter: 0.1,
};

/**
 * Milliseconds until the next attempt after `charged` charged attempts (1 or more), or null when they are used up.
 * Exponential backoff: `initialDelay * backoff^(charged-1)`, at most `maxDelay`, spread by ±jitter.
 * @param random a number in 0..1
 */
export function nextAttemptDelay(policy: RetryPolicy, charged: number, random: number): number | null {
  if (charged >= policy.maxAttempts) return null;
  const plain = Math.min(policy.maxDelayMs, policy.initialDelayMs * policy.backoff ** (charged - 1));
  return Math.max(0, Math.round(plain * (1 + policy.jitter * (2 * random - 1))));
}
