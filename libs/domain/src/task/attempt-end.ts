/**
 * What follows from the end of an attempt: the task is settled, or tried again. Source of the rules: the retry policy
 * counts charged attempts; snoozed and interrupted ones are not charged; at most 100 snoozes, but for those that wait for an operator; a lost executor is charged.
 */
import type { TaskSnapshot } from '../execution/snapshot.js';
import { nextAttemptDelay, type RetryPolicy } from '../retry/retry-policy.js';

export const maxSnoozes = 100;

export type AttemptEnd =
  | { readonly kind: 'succeeded' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'cancelled' }
  | {
      readonly kind: 'again';
      readonly delayMs: number;
      readonly charged: number;
      readonly snoozes: number;
      readonly losses: number;
    };

/** @param random a number in 0..1, used for jitter only */
export function endAttempt(task: TaskSnapshot, policy: RetryPolicy, random: number): AttemptEnd {
  switch (task.outcome) {
    case 'succeeded':
      return { kind: 'succeeded' };
    case 'cancelled':
      return { kind: 'cancelled' };
    case 'interrupted':
      return {
        kind: 'again',
        delayMs: 0,
        charged: Math.max(0, task.charged - 1),
        snoozes: task.snoozes,
        losses: task.losses,
      };
    case 'snoozed':
      if (task.snoozes < maxSnoozes || waitsForOperator(task.error))
        return {
          kind: 'again',
          delayMs: Math.max(0, task.snoozeMs ?? 0),
          charged: Math.max(0, task.charged - 1),
          snoozes: waitsForOperator(task.error) ? task.snoozes : task.snoozes + 1,
          losses: 0,
        };
      return retryOrFail(task, policy, random, 0);
    case 'lost':
      return retryOrFail(task, policy, random, task.losses + 1);
    case 'timed_out':
      return retryOrFail(task, policy, random, 0);
    case 'failed':
      return isPermanent(task.error) ? { kind: 'failed' } : retryOrFail(task, policy, random, 0);
    case null:
      throw new Error('a recorded task has an outcome');
  }
}

/** Until a destination is resumed, a secret is there, or an executor is started that can perform the task, for as long as that takes. */
function waitsForOperator(error: string | null): boolean {
  return (
    error !== null && /"code":"(DESTINATION\.PAUSED|HANDLER\.UNKNOWN|SECRET\.MISSING|NODE\.UNSUPPORTED)"/.test(error)
  );
}

function retryOrFail(task: TaskSnapshot, policy: RetryPolicy, random: number, losses: number): AttemptEnd {
  const delay =
    task.outcome === 'lost' ? lostDelay(policy, task.charged) : nextAttemptDelay(policy, task.charged, random);
  if (delay === null) return { kind: 'failed' };
  return { kind: 'again', delayMs: delay, charged: task.charged, snoozes: task.snoozes, losses };
}

/** What an executor lost is not the destination's fault: it is tried again at once while attempts are left. */
function lostDelay(policy: RetryPolicy, charged: number): number | null {
  return charged >= policy.maxAttempts ? null : 0;
}

function isPermanent(error: string | null): boolean {
  return error === null || /"class":"PERMANENT"/.test(error);
}
