import { chosenOccurrences, missedAfterMs } from './missed.js';
import { nextRun } from './overlap.js';

const at = (seconds: number) => new Date(1_900_000_000_000 + seconds * 1_000);

describe('occurrences that are due', () => {
  const now = at(0);
  const missed = [at(-600), at(-480), at(-360), at(-240)];
  const late = [at(-60), at(-1), now];
  const chosen = (policy: 'SKIP' | 'RUN_ONCE' | 'RUN_ALL', limit = 2, room = 100) =>
    chosenOccurrences([...missed, ...late], now, policy, limit, room);

  it('are run where they are only late, whatever is done with those that were missed', () => {
    expect(missedAfterMs).toBe(60_000);
    expect(chosen('SKIP')).toEqual({ run: late, skipped: 4 });
  });

  it('are run once, or as many of the newest as allowed, where they were missed', () => {
    expect(chosen('RUN_ONCE')).toEqual({ run: [at(-240), ...late], skipped: 3 });
    expect(chosen('RUN_ALL')).toEqual({ run: [at(-360), at(-240), ...late], skipped: 2 });
    expect(chosen('RUN_ALL', 100)).toEqual({ run: [...missed, ...late], skipped: 0 });
  });

  it('are skipped where no more may wait', () => {
    expect(chosen('RUN_ALL', 100, 3)).toEqual({ run: missed.slice(0, 3), skipped: 4 });
    expect(chosen('SKIP', 1, 0)).toEqual({ run: [], skipped: 7 });
  });
});

describe('the next run of a schedule', () => {
  const [a, b, c] = [at(1), at(2), at(3)];
  it.each([
    ['SKIP', false, [a, b, c], { start: a, drop: [b, c], cancel: false }],
    ['SKIP', true, [a, b], { start: null, drop: [a, b], cancel: false }],
    ['QUEUE', false, [a, b, c], { start: a, drop: [], cancel: false }],
    ['QUEUE', true, [a, b], { start: null, drop: [], cancel: false }],
    ['CANCEL_PREVIOUS', false, [a, b, c], { start: c, drop: [a, b], cancel: false }],
    ['CANCEL_PREVIOUS', true, [a, b], { start: null, drop: [a], cancel: true }],
    ['SKIP', false, [], { start: null, drop: [], cancel: false }],
    ['CANCEL_PREVIOUS', true, [], { start: null, drop: [], cancel: false }],
  ] as const)('with %s, open %s', (overlap, isOpen, waiting, expected) => {
    expect(nextRun(overlap, isOpen, waiting)).toEqual(expected);
  });
});
