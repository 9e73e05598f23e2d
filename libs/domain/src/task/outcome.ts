/**
 * The value an attempt ends with. Everything that can happen to an attempt becomes one of these; nothing on the path of a
 * child decides by exception. `output` and `error` are exact JSON text.
 */
import type { ErrorClass, FailureDetail } from '../failure/failure-detail.js';

export type Outcome =
  | { readonly kind: 'succeeded'; readonly output: string | null }
  | { readonly kind: 'failed'; readonly class: ErrorClass; readonly error: FailureDetail }
  /** Put back for later, uncharged. `waitMs`: what the destination asked for. */
  | { readonly kind: 'snoozed'; readonly waitMs: number; readonly error: FailureDetail }
  /** Stopped by shutdown or a lost lease, uncharged. */
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'cancelled' };

export type OutcomeKind = Outcome['kind'];
