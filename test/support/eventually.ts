export interface EventuallyOptions {
  /** Default 10 s. */
  readonly timeoutMs?: number;
  /** Default 20 ms. */
  readonly everyMs?: number;
}

/**
 * Runs `check` until it neither throws nor answers false, and gives its answer; fails with its last error. Assertions go
 * inside: `await eventually(() => expect(calls).toBe(3))`.
 */
export const eventually = async <T>(
  check: () => T | Promise<T>,
  { timeoutMs = 10_000, everyMs = 20 }: EventuallyOptions = {},
): Promise<T> => {
  const end = performance.now() + timeoutMs;
  for (;;) {
    let failure: unknown;
    try {
      const answer = await check();
      if (answer !== false) return answer;
      failure = new Error(`not so after ${timeoutMs} ms: ${check.toString().slice(0, 200)}`);
    } catch (error) {
      failure = error;
    }
    if (performance.now() >= end) throw failure;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
};
