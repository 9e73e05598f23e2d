import { defaultRetryPolicy, type Outcome } from '@app/domain';
import { verdictOf } from './side-calls.js';

const random = { fraction: () => 0.5, bytes: (count: number) => Buffer.alloc(count), uuid: () => '' };
const missing: Outcome = {
  kind: 'snoozed',
  waitMs: 60_000,
  error: { class: 'TRANSIENT', code: 'SECRET.MISSING', message: 'no secret NOBODY_HAS', secret: 'NOBODY_HAS' },
};
const verdict = (outcome: Outcome, attempt: number, charged: number) =>
  verdictOf(outcome, { attempt, charged }, defaultRetryPolicy, random);

describe('a call that is no task', () => {
  it('waits uncharged a hundred times, for a secret as for a destination, and has failed then with what it waited for', () => {
    const error = JSON.stringify(missing.error);
    expect(verdict(missing, 1, 0)).toEqual({ state: 'pending', charged: 0, waitMs: 60_000, error });
    expect(verdict(missing, 102, 2)).toEqual({ state: 'pending', charged: 2, waitMs: 60_000, error });
    expect(verdict(missing, 103, 2)).toEqual({ state: 'failed', charged: 2, error });
  });

  it('has as many charged attempts as its policy gives it', () => {
    const failed: Outcome = {
      kind: 'failed',
      class: 'TRANSIENT',
      error: { class: 'TRANSIENT', code: 'HTTP.STATUS', message: '500' },
    };
    expect(verdict(failed, 40, 2)).toMatchObject({ state: 'pending', charged: 3 });
    expect(verdict(failed, 40, 3)).toMatchObject({ state: 'failed', charged: 4 });
    expect(verdict({ kind: 'interrupted' }, 40, 3)).toMatchObject({ state: 'pending', charged: 3, waitMs: 0 });
  });
});
