import { duration, Progress, type ProgressFigures } from './progress.js';

const figures = (more: Partial<ProgressFigures>): ProgressFigures => ({
  total: 100,
  succeeded: 0,
  failed: 0,
  cancelled: 0,
  running: 4,
  causes: [],
  note: null,
  ...more,
});

/** A stream that remembers what was written, and a clock that is set by hand. */
const stage = (isTTY: boolean) => {
  const written: string[] = [];
  const clock = { ms: 0 };
  const progress = new Progress({ isTTY, columns: 200, write: (text) => written.push(text) }, () => clock.ms);
  return { written, clock, progress };
};

describe('progress', () => {
  it('tells the rate of what it has seen, and the time that is left, and not what was done before', () => {
    const { written, clock, progress } = stage(true);
    progress.show(figures({ succeeded: 40 }));
    clock.ms = 2_000;
    progress.show(figures({ succeeded: 55, failed: 5 }));
    expect(written.at(-1)).toMatch(/60%  60\/100  failed 5  running 4  10\/s  4 s left/);
  });

  it('redraws its lines on a terminal, with the failures by cause', () => {
    const { written, clock, progress } = stage(true);
    progress.show(figures({ causes: [{ count: 3, words: 'answered 422' }] }));
    clock.ms = 150;
    progress.show(figures({}));
    expect(written.join('')).toContain('       3 × answered 422');
    // Both lines of before are cleared.
    expect(written.join('')).toContain('\r\u001b[2K\u001b[1A\u001b[2K');
  });

  it('is a line now and then where there is no terminal, and nothing moves a cursor', () => {
    const { written, clock, progress } = stage(false);
    for (; clock.ms < 10_000; clock.ms += 250) progress.show(figures({ succeeded: clock.ms / 250 }));
    progress.show(figures({ succeeded: 100 }), true);
    expect(written).toHaveLength(3);
    expect(written.join('')).not.toContain('\u001b');
  });

  it('says why nothing moves, on a terminal and elsewhere', () => {
    for (const isTTY of [true, false]) {
      const { written, progress } = stage(isTTY);
      progress.show(figures({ note: 'a row waits: RETRY_AT' }));
      expect(written.join('')).toContain('a row waits: RETRY_AT');
    }
  });

  it.each([
    [0.2, '1 s'],
    [59, '59 s'],
    [60, '1 min 0 s'],
    [3_725, '1 h 2 min'],
  ])('says %d seconds as %s', (seconds, said) => {
    expect(duration(seconds)).toBe(said);
  });
});
