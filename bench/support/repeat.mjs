import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Does something every so often, one at a time, until the returned function is called; that resolves when the last is done.
 * What fails is told there.
 */
export const repeat = (everyMs, action) => {
  const stopping = new AbortController();
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      await action();
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  loop.catch(() => undefined);
  return () => {
    stopping.abort();
    return loop;
  };
};
