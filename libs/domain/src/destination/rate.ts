/**
 * How many units (calls, or what calls cost) may start at a destination in a length of time.
 *
 * Without `burst`: in no window of that length, wherever it begins, do more than `limit` start. What was started is kept in
 * slices a fiftieth of the window wide, and a slice counts until all of it is older than the window. With `burst`: a bucket of
 * that size, which fills up at `limit` per window; so no window has more than `limit + burst`.
 *
 * A unit is taken by the claim and its call leaves a little later. So that the promise holds where the calls arrive, windows
 * are longer by `allowanceMs`, and a task that could not begin within half of that counts anew or gives its claim back.
 *
 * Pure: the clock is an argument, milliseconds of the database's clock.
 */
export interface Rate {
  readonly limit: number;
  readonly perMs: number;
  readonly burst: number | null;
}

export interface RateState {
  /** Width of the slices in milliseconds. */
  readonly widthMs: number;
  /** Units started, by number of the slice. */
  readonly spent: readonly (readonly [slice: number, units: number])[];
  /** What the bucket lacks to be full; null: there was none. */
  readonly missing: number | null;
  readonly at: number;
  /** What a call costs on average; null: none was made yet. */
  readonly meanCost: number | null;
}

const slices = 50;
const lengths: Readonly<Record<string, number>> = { '1s': 1_000, '1m': 60_000, '1h': 3_600_000 };
const untouched: RateState = { widthMs: 1, spent: [], missing: null, at: 0, meanCost: null };
/** Sums of fractions are not exact. */
const tolerance = 1e-9;

/** @param text as the destination keeps it: JSON text of `{limit, per, burst?}` */
export function readRate(text: string | null): Rate | null {
  if (text === null) return null;
  const { limit, per, burst } = JSON.parse(text) as { limit: number; per: string; burst?: number };
  return { limit, perMs: lengths[per] ?? 60_000, burst: burst ?? null };
}

export function readRateState(text: string | null): RateState {
  return text === null ? untouched : (JSON.parse(text) as RateState);
}

export function rateStateText(state: RateState): string {
  return JSON.stringify(state);
}

/** How long after its claim a task may begin; as much again is left for its way to the destination. */
export function startGraceMs(rate: Rate): number {
  return allowanceMs(rate) / 2;
}

/** How long a call may arrive after its claim. */
export function allowanceMs(rate: Rate): number {
  return Math.min(1_000, rate.perMs / 10);
}

/** The most that a single call may cost: what costs more could never start. */
export function mostAtOnce(rate: Rate): number {
  return rate.burst ?? rate.limit;
}

/** Units that may start now; negative after a limit was lowered. */
export function rateRoom(rate: Rate, state: RateState, now: number): number {
  if (rate.burst !== null) return rate.burst - missingNow(rate, state, now);
  return rate.limit - sum(recent(rate, state, now));
}

/** Whether so many units may start now. */
export function hasRateRoom(rate: Rate, room: number, units: number): boolean {
  return units <= room + rate.limit * tolerance;
}

/** Milliseconds until so many units may start, if nothing else starts meanwhile. */
export function rateWaitMs(rate: Rate, state: RateState, now: number, units: number): number {
  const wanted = Math.min(units, mostAtOnce(rate));
  if (hasRateRoom(rate, rateRoom(rate, state, now), wanted)) return 0;
  if (rate.burst !== null) return Math.ceil((missingNow(rate, state, now) + wanted - rate.burst) / unitsPerMs(rate));
  const kept = [...recent(rate, state, now)].sort(([a], [b]) => a - b);
  const width = widthOf(rate);
  let room = rate.limit - sum(kept);
  for (const [slice, spent] of kept) {
    room += spent;
    if (hasRateRoom(rate, room, wanted)) return Math.ceil((slice + 1) * width + spanOf(rate) - now);
  }
  return spanOf(rate);
}

/**
 * How much longer than its grace a task may wait for its start after units were taken: counted in a later slice they count from now
 * on, and for so much longer. Only where more than half of the limit stays free, as it is then nobody's loss; 0 else, and with a bucket.
 */
export function spareMs(rate: Rate, state: RateState, now: number, units: number): number {
  if (rate.burst !== null || (rateRoom(rate, state, now) - units) * 2 < rate.limit) return 0;
  return mostSpareMs(rate);
}

/**
 * After `calls` calls that cost so many units in all were started now.
 * @param laterMs they may start so much later, at most `spareMs`
 */
export function chargeRate(
  rate: Rate,
  state: RateState,
  now: number,
  units: number,
  calls: number,
  laterMs = 0,
): RateState {
  const width = widthOf(rate);
  const spent = new Map(recent(rate, state, now));
  const current = Math.floor((now + laterMs) / width);
  spent.set(current, (spent.get(current) ?? 0) + units);
  const mean = calls === 0 ? state.meanCost : units / calls;
  return {
    widthMs: width,
    spent: [...spent],
    missing: rate.burst === null ? null : missingNow(rate, state, now) + units,
    at: now,
    meanCost: state.meanCost === null || mean === null ? mean : state.meanCost + (mean - state.meanCost) / 8,
  };
}

/** Calls that may be handed out so that about `aheadMs` of them wait at the gate; before the first call a few. */
export function callsAhead(rate: Rate, state: RateState, now: number, aheadMs: number): number {
  const perCall = state.meanCost ?? rate.limit / 20;
  if (perCall <= 0) return Infinity;
  const units = Math.max(0, rateRoom(rate, state, now)) + unitsPerMs(rate) * aheadMs;
  return Math.max(1, Math.ceil(units / perCall));
}

function mostSpareMs(rate: Rate): number {
  return Math.min(1_000, rate.perMs / 2);
}

function spanOf(rate: Rate): number {
  return rate.perMs + allowanceMs(rate);
}

function unitsPerMs(rate: Rate): number {
  return rate.limit / spanOf(rate);
}

function widthOf(rate: Rate): number {
  return spanOf(rate) / slices;
}

function missingNow(rate: Rate, state: RateState, now: number): number {
  if (state.missing === null) return sum(recent(rate, state, now));
  return Math.max(0, state.missing - Math.max(0, now - state.at) * unitsPerMs(rate));
}

/**
 * What still counts. Slices of another width count as late as any of it may have been; none counts as later than calls may start that
 * have taken their units by now.
 */
function recent(rate: Rate, state: RateState, now: number): Map<number, number> {
  const width = widthOf(rate);
  // After a clock went back, what lies ahead of it would hold everything up.
  const latest = Math.floor((now + (now < state.at ? 0 : mostSpareMs(rate))) / width);
  const kept = new Map<number, number>();
  for (const [slice, units] of state.spent) {
    const same = state.widthMs === width ? slice : Math.floor(((slice + 1) * state.widthMs - 0.001) / width);
    const at = Math.min(same, latest);
    if ((at + 1) * width > now - spanOf(rate)) kept.set(at, (kept.get(at) ?? 0) + units);
  }
  return kept;
}

function sum(spent: Iterable<readonly [number, number]>): number {
  let units = 0;
  for (const [, part] of spent) units += part;
  return units;
}
