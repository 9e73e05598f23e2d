/**
 * Finding out how many calls at once a destination bears. Pure; the state lies in the row of the destination.
 *
 * The limit grows by half for each round of successes (as many as it allows) until a call is refused for being one too many.
 * From then on it knows a ceiling, goes down by a seventh, comes up one by one to just below the ceiling, and stays there; now and then,
 * and more rarely each time it fails, it tries one more. It only grows while it is the limit that holds calls back, and not
 * while calls take twice as long as the fastest did.
 *
 * Refusals are counted once for each time the limit was lowered: those of calls that began before say nothing new, nor do those
 * that come while more calls are under way than it allows by now.
 */
/** Where the search begins. */
export const firstAdaptiveLimit = 4;
/** The most it tries where nothing else limits the destination. */
export const mostAdaptiveLimit = 1_024;

export interface AdaptiveState {
  readonly limit: number;
  /** The most that was not refused; null: nothing was yet. */
  readonly ceiling: number | null;
  /** Successes since the limit was last moved. */
  readonly successes: number;
  /** When it was last lowered, and when it may try more than the ceiling. Milliseconds of the database's clock. */
  readonly loweredAt: number;
  readonly probeAt: number;
  readonly probeRestMs: number;
  /** How long calls take where nothing slows them. */
  readonly fastestMs: number | null;
}

/** What happened at the destination since the last report of the same executor. */
export interface AdaptiveReport {
  readonly now: number;
  /** Calls under way, and the most that may ever be. */
  readonly held: number;
  readonly most: number;
  readonly successes: number;
  readonly meanMs: number | null;
  /** When calls began that were refused for being too many, or that timed out. */
  readonly refused: readonly number[];
}

const firstProbeRestMs = 15_000;
const mostProbeRestMs = 120_000;
const lowering = 6 / 7;

export const freshAdaptiveState: AdaptiveState = {
  limit: firstAdaptiveLimit,
  ceiling: null,
  successes: 0,
  loweredAt: 0,
  probeAt: 0,
  probeRestMs: firstProbeRestMs,
  fastestMs: null,
};

export function adapt(before: AdaptiveState, report: AdaptiveReport): AdaptiveState {
  const state = within(report.most, timed(before, report));
  const isDraining = report.held > state.limit;
  if (!isDraining && report.refused.some((at) => at > state.loweredAt)) return lowered(state, report.now);
  const isHolding = report.held + report.successes >= state.limit;
  if (!isHolding || report.refused.length > 0) return state;
  const successes = state.successes + report.successes;
  if (successes < state.limit || isSlow(state, report)) return { ...state, successes };
  return within(report.most, raised({ ...state, successes: 0 }, report.now));
}

function lowered(state: AdaptiveState, now: number): AdaptiveState {
  const wasProbe = state.ceiling !== null && state.limit > state.ceiling;
  const ceiling = wasProbe ? state.ceiling! : Math.max(1, state.limit - 1);
  const probeRestMs = wasProbe ? Math.min(mostProbeRestMs, state.probeRestMs * 2) : firstProbeRestMs;
  return {
    ...state,
    limit: wasProbe ? ceiling : Math.max(1, Math.min(ceiling, Math.floor(state.limit * lowering))),
    ceiling,
    successes: 0,
    loweredAt: now,
    probeAt: now + probeRestMs,
    probeRestMs,
  };
}

function raised(state: AdaptiveState, now: number): AdaptiveState {
  const { limit, ceiling } = state;
  if (ceiling === null) return { ...state, limit: Math.ceil(limit * 1.5) };
  if (limit < ceiling) return { ...state, limit: limit + 1 };
  // A whole round above the ceiling without a refusal: it was not one.
  if (limit > ceiling) return { ...state, ceiling: limit, limit: limit + 1, probeRestMs: firstProbeRestMs };
  return now >= state.probeAt ? { ...state, limit: limit + 1 } : state;
}

function timed(state: AdaptiveState, { meanMs }: AdaptiveReport): AdaptiveState {
  if (meanMs === null) return state;
  // It forgets slowly, as a destination may become slower for good.
  const fastestMs = state.fastestMs === null ? meanMs : Math.min(meanMs, state.fastestMs * 1.002);
  return { ...state, fastestMs };
}

function isSlow(state: AdaptiveState, { meanMs }: AdaptiveReport): boolean {
  return meanMs !== null && state.fastestMs !== null && meanMs > 2 * state.fastestMs + 20;
}

function within(most: number, state: AdaptiveState): AdaptiveState {
  return state.limit <= most ? state : { ...state, limit: most };
}
