import { Troubles } from './breaker.js';

const calls = (
  troubles: Troubles,
  count: number,
  isFailing: (i: number) => boolean,
  everyMs = 10,
  from = 0,
): boolean[] => Array.from({ length: count }, (_, i) => troubles.note(isFailing(i), from + i * everyMs));

describe('a breaker', () => {
  it('opens at twenty failing calls in a row, and not at nineteen', () => {
    const troubles = new Troubles();
    expect(calls(troubles, 19, () => true)).not.toContain(true);
    expect(troubles.note(false, 200)).toBe(false);
    expect(calls(troubles, 19, () => true, 10, 300)).not.toContain(true);
    expect(troubles.note(true, 500)).toBe(true);
  });

  it('opens when half of forty calls fail, and not when two fifths do', () => {
    expect(calls(new Troubles(), 60, (i) => i % 2 === 1)).toContain(true);
    expect(calls(new Troubles(), 38, (i) => i % 2 === 1)).not.toContain(true);
    expect(calls(new Troubles(), 2_000, (i) => i % 5 < 2)).not.toContain(true);
  });

  it('forgets what is older than thirty seconds', () => {
    const troubles = new Troubles();
    calls(troubles, 30, (i) => i % 2 === 1);
    expect(calls(troubles, 20, (i) => i % 2 === 1, 10, 40_000)).not.toContain(true);
    calls(troubles, 40, (i) => i % 2 === 1, 10, 41_000);
    troubles.forget();
    expect(calls(troubles, 30, (i) => i % 2 === 1, 10, 42_000)).not.toContain(true);
  });
});
