/** Resolves after `delayMs`, or at once when `signal` is or becomes aborted. Never rejects: the caller looks at its signal. */
export const sleep = (delayMs: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, delayMs);
    signal?.addEventListener('abort', done, { once: true });
  });
