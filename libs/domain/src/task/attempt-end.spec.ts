import type { TaskSnapshot } from '../execution/snapshot.js';
import { defaultRetryPolicy } from '../retry/retry-policy.js';
import { endAttempt, maxSnoozes } from './attempt-end.js';

const snoozed = (code: string, snoozes: number): TaskSnapshot => ({
  node: 0,
  state: 'recorded',
  attempt: snoozes + 1,
  charged: 1,
  snoozes,
  losses: 0,
  outcome: 'snoozed',
  snoozeMs: 5_000,
  output: null,
  error: JSON.stringify({ class: 'TRANSIENT', code, message: 'not now' }),
});
const end = (code: string, snoozes: number) => endAttempt(snoozed(code, snoozes), defaultRetryPolicy, 0.5);

describe('the end of a snoozed attempt', () => {
  it('is free of charge a hundred times, and charged after that', () => {
    expect(end('HTTP.STATUS', maxSnoozes - 1)).toMatchObject({ kind: 'again', charged: 0, snoozes: maxSnoozes });
    expect(end('HTTP.STATUS', maxSnoozes)).toMatchObject({ kind: 'again', charged: 1 });
  });

  it.each(['DESTINATION.PAUSED', 'HANDLER.UNKNOWN', 'SECRET.MISSING', 'NODE.UNSUPPORTED'])(
    'is never charged nor counted where it waits for an operator: %s',
    (code) => {
      expect(end(code, maxSnoozes)).toMatchObject({ kind: 'again', charged: 0, snoozes: maxSnoozes, delayMs: 5_000 });
    },
  );
});
