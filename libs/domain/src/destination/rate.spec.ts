import fc from 'fast-check';
import {
  allowanceMs,
  callsAhead,
  chargeRate,
  hasRateRoom,
  mostAtOnce,
  rateRoom,
  rateStateText,
  rateWaitMs,
  readRate,
  readRateState,
  spareMs,
  type Rate,
  type RateState,
} from './rate.js';

const perSecond = (limit: number, burst: number | null = null): Rate => ({ limit, perMs: 1_000, burst });
const lengths = fc.constantFrom(1_000, 60_000, 3_600_000);
const costs = fc.oneof(fc.constant(1), fc.integer({ min: 0, max: 40 }), fc.double({ min: 0, max: 3, noNaN: true }));
const tries = fc.array(fc.record({ cost: costs, afterPart: fc.double({ min: 0, max: 0.4, noNaN: true }) }), {
  minLength: 1,
  maxLength: 200,
});

interface Start {
  readonly at: number;
  readonly units: number;
}

/** Whoever asks gets what there is room for; the state travels as text, as between processes. */
const run = (rate: Rate, asked: readonly { cost: number; afterPart: number }[]): Start[] => {
  let state = readRateState(null);
  let now = 1_700_000_000_000;
  const starts: Start[] = [];
  for (const { cost, afterPart } of asked) {
    now += afterPart * rate.perMs;
    if (!hasRateRoom(rate, rateRoom(rate, state, now), cost)) continue;
    state = readRateState(rateStateText(chargeRate(rate, state, now, cost, 1)));
    starts.push({ at: now, units: cost });
  }
  return starts;
};

/** The most units in any window of that length. */
const densest = (starts: readonly Start[], lengthMs: number): number => {
  let most = 0;
  starts.forEach((first, i) => {
    let units = 0;
    for (let j = i; j < starts.length && starts[j]!.at < first.at + lengthMs; j++) units += starts[j]!.units;
    most = Math.max(most, units);
  });
  return most;
};

describe('a rate (I9)', () => {
  it('is exceeded in no window, wherever it begins, and whatever calls cost', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), lengths, tries, (limit, perMs, asked) => {
        const rate: Rate = { limit, perMs, burst: null };
        expect(densest(run(rate, asked), perMs)).toBeLessThanOrEqual(limit * (1 + 1e-6));
      }),
    );
  });

  it('is not exceeded where the calls arrive either, though each arrives up to the allowance after its claim', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        tries,
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        (limit, asked, lateness) => {
          const rate = perSecond(limit);
          const arrivals = run(rate, asked)
            .map(({ at, units }) => ({ units, at: at + Number(lateness.next().value) * allowanceMs(rate) }))
            .toSorted((a, b) => a.at - b.at);
          expect(densest(arrivals, 1_000)).toBeLessThanOrEqual(limit * (1 + 1e-6));
        },
      ),
    );
  });

  it('is not exceeded where calls arrive that may start later as there was room to spare', () => {
    const parts = fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true }));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), lengths, tries, parts, (limit, perMs, asked, lateness) => {
        const rate: Rate = { limit, perMs, burst: null };
        let state = readRateState(null);
        let now = 1_700_000_000_000;
        const arrivals: Start[] = [];
        for (const { cost, afterPart } of asked) {
          now += afterPart * perMs;
          if (!hasRateRoom(rate, rateRoom(rate, state, now), cost)) continue;
          const laterMs = spareMs(rate, state, now, cost);
          state = readRateState(rateStateText(chargeRate(rate, state, now, cost, 1, laterMs)));
          const lateMs = Number(lateness.next().value) * (laterMs + allowanceMs(rate));
          arrivals.push({ at: now + lateMs, units: cost });
        }
        arrivals.sort((a, b) => a.at - b.at);
        expect(densest(arrivals, perMs)).toBeLessThanOrEqual(limit * (1 + 1e-6));
      }),
    );
  });

  it('has no time to spare with a bucket, nor where less than half of it is free', () => {
    const now = 1_700_000_000_000;
    const none = readRateState(null);
    expect(spareMs(perSecond(60), none, now, 30)).toBe(500);
    expect(spareMs(perSecond(60), none, now, 31)).toBe(0);
    expect(spareMs(perSecond(60, 60), none, now, 1)).toBe(0);
  });

  it('with a burst never has more than limit and burst in a window, and the burst at most at once', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 60 }),
        lengths,
        tries,
        (limit, burst, perMs, asked) => {
          const starts = run({ limit, perMs, burst }, asked);
          expect(densest(starts, perMs)).toBeLessThanOrEqual((limit + burst) * (1 + 1e-6));
          expect(densest(starts, 1e-6)).toBeLessThanOrEqual(burst * (1 + 1e-6));
        },
      ),
    );
  });

  it('opens exactly when it says: not a millisecond of waiting too little, and it comes to an end', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.option(fc.integer({ min: 1, max: 40 })),
        tries,
        costs,
        (limit, burst, asked, wanted) => {
          const rate = perSecond(limit, burst);
          let state = readRateState(null);
          let now = 1_700_000_000_000;
          for (const { cost, afterPart } of asked) {
            now += afterPart * 1_000;
            if (hasRateRoom(rate, rateRoom(rate, state, now), cost)) state = chargeRate(rate, state, now, cost, 1);
          }
          const units = Math.min(wanted, mostAtOnce(rate));
          const wait = rateWaitMs(rate, state, now, units);
          expect(hasRateRoom(rate, rateRoom(rate, state, now + wait), units)).toBe(true);
          if (wait > 1) expect(hasRateRoom(rate, rateRoom(rate, state, now + wait - 2), units)).toBe(false);
        },
      ),
    );
  });

  it('gives nine tenths of itself to whoever always wants more', () => {
    for (const limit of [10, 60, 1_000]) {
      const asked = Array.from({ length: 60_000 }, () => ({ cost: 1, afterPart: 0.0005 }));
      expect(run(perSecond(limit), asked).length).toBeGreaterThan(30 * limit * 0.88);
    }
  });

  it('holds across changes of its limit, length and burst: what was started still counts', () => {
    const now = 1_700_000_000_000;
    const full = chargeRate(perSecond(60), readRateState(null), now, 60, 60);
    expect(rateRoom(perSecond(20), full, now + 10)).toBe(-40);
    expect(rateRoom(perSecond(100), full, now + 10)).toBe(40);
    expect(rateRoom({ limit: 90, perMs: 60_000, burst: null }, full, now + 900)).toBe(30);
    expect(rateRoom({ limit: 90, perMs: 60_000, burst: null }, full, now + 70_000)).toBe(90);
    expect(rateRoom(perSecond(60, 70), full, now + 10)).toBe(10);
    const byMinute: RateState = chargeRate({ limit: 90, perMs: 60_000, burst: null }, readRateState(null), now, 50, 50);
    expect(rateRoom(perSecond(60), byMinute, now + 1)).toBe(10);
  });

  it('does not stand still when the clock goes back', () => {
    const now = 1_700_000_000_000;
    const full = chargeRate(perSecond(60), readRateState(null), now, 60, 60);
    expect(rateWaitMs(perSecond(60), full, now - 3_600_000, 1)).toBeLessThanOrEqual(1_130);
  });

  it('has a few calls handed out before their cost is known, and as many as it allows afterwards', () => {
    const rate = perSecond(90_000);
    const now = 1_700_000_000_000;
    expect(callsAhead(rate, readRateState(null), now, 500)).toBeLessThan(40);
    const known = chargeRate(rate, readRateState(null), now, 90_000, 60);
    expect(callsAhead(rate, known, now, 500)).toBeGreaterThan(20);
    expect(callsAhead(rate, known, now, 500)).toBeLessThan(40);
  });

  it('is read as it is written', () => {
    expect(readRate('{"limit":60,"per":"1m","burst":5}')).toEqual({ limit: 60, perMs: 60_000, burst: 5 });
    expect(readRate('{"limit":60,"per":"1h"}')).toEqual({ limit: 60, perMs: 3_600_000, burst: null });
    expect(readRate(null)).toBeNull();
  });
});
