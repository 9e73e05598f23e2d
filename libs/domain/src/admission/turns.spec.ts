import fc from 'fast-check';
import { takeTurns, type Candidate } from './turns.js';

const candidate = (key: string, more: Partial<Candidate> = {}): Candidate => ({
  key,
  root: key,
  priority: 5,
  weight: 6,
  running: 0,
  available: 100,
  ...more,
});
const given = (candidates: readonly Candidate[], room: number) => Object.fromEntries(takeTurns(candidates, room));

describe('taking turns', () => {
  it('lets 200,000 waiting items of one root not delay ten of another', () => {
    const big = candidate('big', { available: 200_000, running: 5_000 });
    expect(given([big, candidate('small', { available: 10 })], 50)).toEqual({ big: 40, small: 10 });
    expect(given([big, candidate('small', { available: 10 })], 10)).toEqual({ small: 10 });
  });

  it('shares by weight, counting what is running', () => {
    const high = candidate('high', { priority: 9, weight: 10 });
    const low = candidate('low', { priority: 0, weight: 1 });
    expect(given([low, high], 22)).toEqual({ high: 20, low: 2 });
    expect(given([low, { ...high, running: 10 }], 12)).toEqual({ high: 10, low: 2 });
    expect(given([low, high], 1)).toEqual({ high: 1 });
  });

  it('gives a root with many fan-outs no more than a root with one', () => {
    const many = Array.from({ length: 9 }, (_, i) => candidate(`m${i}`, { root: 'many' }));
    const shares = takeTurns([...many, candidate('one')], 90);
    expect(shares.get('one')).toBe(45);
    expect(many.every(({ key }) => shares.get(key) === 5)).toBe(true);
  });

  it('gives nothing without room and to nobody who waits for nothing', () => {
    expect(given([candidate('a')], 0)).toEqual({});
    expect(given([candidate('a')], -3)).toEqual({});
    expect(given([candidate('a', { available: 0 }), candidate('b', { available: 2 })], 9)).toEqual({ b: 2 });
  });

  it('divides a limit that two share by the same turns, and leaves the rest of the room to others', () => {
    const a = candidate('a', { available: 20_000, running: 3, limits: ['slow'] });
    const c = candidate('c', { available: 10, limits: ['slow', 'unknown'] });
    const b = candidate('b', { available: 10 });
    const turns = takeTurns([a, b, c], 50, new Map([['slow', 2]]));
    expect(Object.fromEntries(turns)).toEqual({ b: 10, c: 2 });
    expect(Object.fromEntries(takeTurns([a, b, c], 50, new Map([['slow', 9]])))).toEqual({ a: 3, b: 10, c: 6 });
    expect(Object.fromEntries(takeTurns([a, b, c], 50, new Map([['slow', 0]])))).toEqual({ b: 10 });
  });

  it('never exceeds room or what is available, leaves nothing over, and does not depend on the order', () => {
    const some = fc.record({
      root: fc.constantFrom('r1', 'r2', 'r3'),
      priority: fc.nat(9),
      running: fc.nat(50),
      available: fc.nat(50),
    });
    fc.assert(
      fc.property(fc.array(some, { maxLength: 12 }), fc.nat(200), (list, room) => {
        const all = list.map((c, i): Candidate => ({ ...c, key: `k${i}`, weight: c.priority + 1 }));
        const shares = takeTurns(all, room);
        let sum = 0;
        for (const { key, available } of all) {
          const share = shares.get(key) ?? 0;
          expect(share).toBeLessThanOrEqual(available);
          sum += share;
        }
        expect(sum).toBe(
          Math.min(
            room,
            all.reduce((n, c) => n + c.available, 0),
          ),
        );
        expect(Object.fromEntries(takeTurns([...all].reverse(), room))).toEqual(Object.fromEntries(shares));
      }),
      { numRuns: 1_000 },
    );
  });

  it('count what a root runs beyond its candidates', () => {
    const [a, b] = [candidate('a', { available: 50 }), candidate('b', { available: 50 })];
    const runs = new Map([['a', 40]]);
    expect(Object.fromEntries(takeTurns([a, b], 50, new Map(), runs))).toEqual({ a: 5, b: 45 });
  });

  it('fills a window of 20,000 among 1,000 roots in milliseconds', () => {
    const all = Array.from({ length: 1_000 }, (_, i) => candidate(`r${i}`, { running: i % 7 }));
    const start = performance.now();
    const shares = takeTurns(all, 20_000);
    expect(performance.now() - start).toBeLessThan(2_000);
    expect([...shares.values()].reduce((a, b) => a + b)).toBe(20_000);
  });
});
