/**
 * How a handler says what kind of failure it met. The executor looks at `fanfold` rather than at the class, as class identity
 * does not survive two copies of this package.
 */
export interface FailureFacts {
  /** `AREA.REASON` */
  readonly code?: string;
  readonly cause?: unknown;
}

/** Would fail every time on the same input: no retries. */
export class PermanentError extends Error {
  override readonly name = 'PermanentError';
  readonly fanfold = 'permanent';
  readonly code: string | undefined;

  constructor(message = 'permanent failure', facts: FailureFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = facts.code;
  }
}

export interface TransientFacts extends FailureFacts {
  readonly message?: string;
  /** When the destination wants to be called again: seconds, or a duration such as `"5s"`. Not charged as an attempt. */
  readonly retryAfter?: number | string;
  /** The destination to slow down. */
  readonly destination?: string;
}

/** Likely to succeed later: `new TransientError('busy')` or `new TransientError({ retryAfter, destination })`. */
export class TransientError extends Error {
  override readonly name = 'TransientError';
  readonly fanfold = 'transient';
  readonly code: string | undefined;
  readonly retryAfter: number | string | undefined;
  readonly destination: string | undefined;

  constructor(message: string | TransientFacts = {}, facts: TransientFacts = {}) {
    const all = typeof message === 'string' ? { ...facts, message } : message;
    super(all.message ?? 'transient failure', all.cause === undefined ? undefined : { cause: all.cause });
    this.code = all.code;
    this.retryAfter = all.retryAfter;
    this.destination = all.destination;
  }
}
