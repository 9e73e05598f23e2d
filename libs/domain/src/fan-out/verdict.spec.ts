import fc from 'fast-check';
import type { ChildFailureKind, FailureTolerance } from '../pipeline/plan.js';
import { executionAfter, type ExecutionMove, type ExecutionState } from '../transition-table.js';
import { parseRatio } from './ratio.js';
import { emptyTally, moveTally, settledCount, type Tally } from './tally.js';
import { decideVerdict, type FanOutCounts } from './verdict.js';

const failedOnly = (ratio: string | null, count: number | null = null): FailureTolerance => ({
  kinds: ['FAILED'],
  maxFailureRatio: ratio,
  maxFailureCount: count,
});
const nothing: FailureTolerance = { kinds: [], maxFailureRatio: null, maxFailureCount: null };
const done = (tally: Partial<Tally>, tolerance: FailureTolerance): string => {
  const full = { ...emptyTally, ...tally };
  const spawned = settledCount(full);
  return decideVerdict({ total: spawned, sealed: true, spawned, tally: full, tolerance, failFast: false }).verdict;
};

describe('a verdict on all settled children', () => {
  it.each<[Partial<Tally>, string, string]>([
    [{ succeeded: 19, failed: 1 }, '0.05', 'passed'],
    [{ succeeded: 18, failed: 2 }, '0.05', 'failed'],
    [{ succeeded: 71, failed: 29 }, '0.29', 'passed'],
    [{ succeeded: 70, failed: 30 }, '0.29', 'failed'],
    [{ succeeded: 42, failed: 58 }, '0.58', 'passed'],
    [{ succeeded: 42, failed: 58 }, '5.8e-1', 'passed'],
    [{ succeeded: 9, failed: 1 }, '0', 'failed'],
    [{ failed: 10 }, '1', 'passed'],
    [{ succeeded: 9, failed: 1 }, '0.05', 'failed'],
    [{ succeeded: 2, failed: 1 }, '0.3333333333333333333333333333', 'failed'],
    [{ succeeded: 2, failed: 1 }, '0.3333333333333333333333333334', 'passed'],
  ])('%j at ratio %s has %s', (tally, ratio, verdict) => expect(done(tally, failedOnly(ratio))).toBe(verdict));

  it('of an empty list has passed under every tolerance', () => {
    for (const tolerance of [nothing, failedOnly('0.05'), failedOnly('0'), failedOnly(null, 0)])
      for (const failFast of [true, false])
        expect(decideVerdict({ total: 0, sealed: true, spawned: 0, tally: emptyTally, tolerance, failFast })).toEqual({
          verdict: 'passed',
        });
  });

  it('fails for a kind that is not listed, whatever room the ratio has', () => {
    expect(done({ succeeded: 9, cancelled: 1 }, failedOnly('0.5'))).toBe('failed');
    expect(done({ succeeded: 9, failed: 1 }, { ...failedOnly('0.5'), kinds: ['CANCELLED'] })).toBe('failed');
    expect(done({ succeeded: 9, failed: 1 }, nothing)).toBe('failed');
    expect(done({ succeeded: 9, cancelled: 1 }, nothing)).toBe('failed');
    expect(done({ succeeded: 10 }, nothing)).toBe('passed');
  });

  it('counts the listed kinds together', () => {
    const both: FailureTolerance = { kinds: ['FAILED', 'CANCELLED'], maxFailureRatio: '0.3', maxFailureCount: null };
    expect(done({ succeeded: 7, failed: 2, cancelled: 1 }, both)).toBe('passed');
    expect(done({ succeeded: 6, failed: 2, cancelled: 2 }, both)).toBe('failed');
  });

  it('tolerates any number where kinds are listed and no limit is given', () => {
    expect(done({ failed: 10 }, failedOnly(null))).toBe('passed');
  });

  it('fails where either of two limits is exceeded', () => {
    expect(done({ succeeded: 97, failed: 3 }, failedOnly('0.5', 2))).toBe('failed');
    expect(done({ succeeded: 1, failed: 2 }, failedOnly('0.5', 2))).toBe('failed');
    expect(done({ succeeded: 98, failed: 2 }, failedOnly('0.5', 2))).toBe('passed');
  });

  it('tells the counts, the limit and the reason', () => {
    const tally = { succeeded: 94, failed: 6, cancelled: 0 };
    const tolerance = failedOnly('0.05');
    expect(decideVerdict({ total: 100, sealed: true, spawned: 100, tally, tolerance, failFast: false })).toEqual({
      verdict: 'failed',
      early: false,
      reason: {
        total: 100,
        ...tally,
        limit: 'MAX_FAILURE_RATIO',
        allowed: '0.05',
        message: '6 failed of 100; maxFailureRatio is 0.05',
      },
    });
  });
});

describe('fail-fast', () => {
  const running = (more: Partial<FanOutCounts>): FanOutCounts => ({
    total: 100,
    sealed: true,
    spawned: 100,
    tally: emptyTally,
    tolerance: failedOnly('0.05'),
    failFast: true,
    ...more,
  });

  it('measures against the total: the first failure ends nothing, the one that exceeds the budget does', () => {
    for (let failed = 0; failed <= 5; failed++)
      expect(decideVerdict(running({ tally: { ...emptyTally, failed } })).verdict).toBe('open');
    expect(decideVerdict(running({ tally: { ...emptyTally, failed: 6 } }))).toMatchObject({
      verdict: 'failed',
      early: true,
    });
    expect(decideVerdict(running({ tally: { ...emptyTally, failed: 6 }, failFast: false })).verdict).toBe('open');
    expect(decideVerdict(running({ tally: { succeeded: 95, failed: 5, cancelled: 0 } })).verdict).toBe('passed');
  });

  it('needs the total for a ratio above 0, and for nothing else', () => {
    const unknown = { total: null, sealed: false, spawned: 50 };
    const tally = { ...emptyTally, failed: 40 };
    expect(decideVerdict(running({ ...unknown, tally })).verdict).toBe('open');
    expect(decideVerdict(running({ ...unknown, tally, tolerance: failedOnly('0') })).verdict).toBe('failed');
    expect(decideVerdict(running({ ...unknown, tally, tolerance: failedOnly(null, 39) })).verdict).toBe('failed');
    expect(decideVerdict(running({ ...unknown, tally, tolerance: nothing })).verdict).toBe('failed');
    expect(decideVerdict(running({ total: null, tally })).verdict).toBe('failed');
  });

  it('waits for the seal before anything has passed', () => {
    const tally = { ...emptyTally, succeeded: 50 };
    expect(decideVerdict(running({ total: 100, sealed: false, spawned: 50, tally })).verdict).toBe('open');
  });
});

describe('within a round', () => {
  const outcome = fc.constantFrom<keyof Tally>('succeeded', 'succeeded', 'failed', 'cancelled');
  const ratio = fc.constantFrom(null, '0', '0.05', '0.29', '0.5', '1', '3.3e-1');
  const kinds = fc.subarray<ChildFailureKind>(['FAILED', 'CANCELLED']);

  it('a verdict never changes, and what fail-fast decided early is what the end would have decided', () => {
    fc.assert(
      fc.property(
        fc.array(outcome, { maxLength: 60 }),
        kinds,
        ratio,
        fc.option(fc.integer({ min: 0, max: 20 })),
        fc.boolean(),
        (outcomes, tolerated, maxFailureRatio, maxFailureCount, knowsTotal) => {
          const tolerance = { kinds: tolerated, maxFailureRatio, maxFailureCount };
          const n = outcomes.length;
          let tally = emptyTally;
          let first: string | null = null;
          const final = decideVerdict({
            total: n,
            sealed: true,
            spawned: n,
            tally: count(outcomes),
            tolerance,
            failFast: false,
          });
          for (let settled = 0; settled <= n; settled++) {
            const sealed = settled === n;
            const total = knowsTotal || sealed ? n : null;
            const { verdict } = decideVerdict({ total, sealed, spawned: settled, tally, tolerance, failFast: true });
            if (first !== null && verdict !== first) throw new Error(`${first} became ${verdict}`);
            if (verdict !== 'open') first = verdict;
            const next = outcomes[settled];
            if (next) tally = moveTally(tally, 'running', next);
          }
          expect(first).toBe(final.verdict);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it('settlements that are doubled, late or interleaved never move a tally twice', () => {
    const settlement = fc.record({
      child: fc.nat(7),
      move: fc.constantFrom<ExecutionMove>('admit', 'claim', 'succeed', 'fail', 'cancel', 'redrive', 'retry', 'pause'),
      copies: fc.integer({ min: 1, max: 3 }),
    });
    fc.assert(
      fc.property(fc.array(settlement, { maxLength: 80 }), fc.integer(), (sent, shuffle) => {
        const children: ExecutionState[] = Array.from({ length: 8 }, () => 'pending');
        let tally = emptyTally;
        for (const { child, move } of delivered(sent, shuffle)) {
          const from = children[child]!;
          const to = executionAfter(from, move);
          if (to === null) continue;
          children[child] = to;
          tally = moveTally(tally, from, to);
          expect(tally).toEqual(count(children));
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

function count(states: readonly string[]): Tally {
  const of = (state: string) => states.filter((s) => s === state).length;
  return { succeeded: of('succeeded'), failed: of('failed'), cancelled: of('cancelled') };
}

/** Every message as often as it has copies, each copy up to a few places late. */
function delivered<T extends { copies: number }>(sent: readonly T[], shuffle: number): T[] {
  const copies = sent.flatMap((message, i) =>
    Array.from({ length: message.copies }, (_, copy) => ({ message, at: i + copy * (1 + (Math.abs(shuffle) % 5)) })),
  );
  return copies.sort((a, b) => a.at - b.at).map(({ message }) => message);
}

describe('a ratio', () => {
  it('is exact, in 0..1, and bounded in size', () => {
    expect(parseRatio('0.29')).toEqual({ numerator: 29n, denominator: 100n });
    expect(parseRatio('1e-2')).toEqual({ numerator: 1n, denominator: 100n });
    expect(parseRatio('0.1e1')).toEqual({ numerator: 1n, denominator: 1n });
    expect(parseRatio('-0')).toEqual({ numerator: 0n, denominator: 1n });
    for (const text of ['', '-0.1', '1.01', 'NaN', '1e-101', '1e1000000', '.5', '0.'.padEnd(70, '1')])
      expect(parseRatio(text)).toBeNull();
  });
});
