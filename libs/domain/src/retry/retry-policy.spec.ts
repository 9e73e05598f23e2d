import { defaultRetryPolicy, nextAttemptDelay } from './retry-policy.js';

describe('the delay before the next attempt', () => {
  const plain = { ...defaultRetryPolicy, jitter: 0 };

  it('doubles from 10 seconds by default, and there are four attempts', () => {
    expect([1, 2, 3, 4].map((charged) => nextAttemptDelay(plain, charged, 0.5))).toEqual([
      10_000,
      20_000,
      40_000,
      null,
    ]);
  });

  it('never exceeds its maximum but by jitter, and is spread by that share both ways', () => {
    const many = { ...plain, maxAttempts: 1_000, maxDelayMs: 60_000 };
    expect(nextAttemptDelay(many, 900, 0.5)).toBe(60_000);
    expect([0, 0.5, 1].map((random) => nextAttemptDelay(defaultRetryPolicy, 1, random))).toEqual([
      9_000, 10_000, 11_000,
    ]);
  });
});
