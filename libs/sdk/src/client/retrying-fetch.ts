import { EngineAway } from './engine-failure.js';
import { pause } from './pause.js';

/** How often a call is made again, and after how long. */
export interface ClientRetry {
  /** Calls in all, the first included; default 6. */
  readonly attempts?: number;
  /** Milliseconds before the second call, doubled before each further one; default 200. */
  readonly firstDelayMs?: number;
  /** Milliseconds at most between two calls; default 5000. A Retry-After of the engine counts up to 60 s. */
  readonly longestDelayMs?: number;
}

export type Fetch = (request: Request) => Promise<Response>;

const busy: readonly number[] = [429, 502, 503, 504];
const longestWish = 60_000;

/**
 * A fetch that calls again where nobody answered, where the engine is busy or about to end, and where a first call with the
 * same key is still in work. The calls of this client may all be made again: POST carries an idempotency key, everything
 * else has the same effect twice as once. A body that is a stream can be sent only once, so it needs `attempts: 1`.
 */
export function retryingFetch(fetch: Fetch, retry: ClientRetry, random: () => number): Fetch {
  const attempts = Math.max(1, retry.attempts ?? 6);
  return async (request) => {
    for (let attempt = 1; ; attempt++) {
      const last = attempt >= attempts;
      const answered = await answerOf(() => fetch(last ? request : request.clone()), request, last);
      if (answered && (last || !isBusy(answered))) return answered;
      await answered?.body?.cancel();
      const wish = answered?.headers.get('retry-after') ?? null;
      await pause(delayMs(attempt, wish, retry, random), request.signal);
    }
  };
}

/** Milliseconds before the next call. @param retryAfter of the answer: whole seconds */
export function delayMs(
  attempt: number,
  retryAfter: string | null,
  { firstDelayMs = 200, longestDelayMs = 5_000 }: ClientRetry,
  random: () => number,
): number {
  if (retryAfter !== null && /^\d{1,6}$/.test(retryAfter)) return Math.min(Number(retryAfter) * 1_000, longestWish);
  const whole = Math.min(firstDelayMs * 2 ** (attempt - 1), longestDelayMs);
  return whole / 2 + (whole / 2) * random();
}

function isBusy({ status, headers }: Response): boolean {
  // 409 with Retry-After: the first request with this key is still in work.
  return busy.includes(status) || (status === 409 && headers.has('retry-after'));
}

/** @throws EngineAway where nobody answered the last call; whatever the signal of the caller gives as its reason */
async function answerOf(call: () => Promise<Response>, request: Request, last: boolean): Promise<Response | null> {
  try {
    return await call();
  } catch (error) {
    if (request.signal.aborted) throw request.signal.reason;
    if (!last) return null;
    const { cause } = error as { cause?: { code?: string; message?: string } };
    const why = cause?.code ?? cause?.message ?? (error as Error).message;
    throw new EngineAway(`no engine answers at ${new URL(request.url).origin} (${why})`, { cause: error });
  }
}
