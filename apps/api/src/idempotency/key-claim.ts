import type { IdempotencyClaim, IdempotencyKeyStore, Tx } from '@app/persistence';
import { conflict } from '../problem/problem.js';
import type { Answer } from '../request/answer.js';

/**
 * A request key that this request has claimed. A handler that commits a transaction of its own completes the claim in
 * it, so that the effect and the answer are remembered together: a process that dies in between has done neither.
 */
export class KeyClaim {
  completed = false;

  constructor(
    private readonly store: IdempotencyKeyStore,
    readonly claim: IdempotencyClaim,
    private requestHash: Buffer,
  ) {}

  /** For uploads: the hash is known at the end of the body. */
  is(requestHash: Buffer): void {
    this.requestHash = requestHash;
  }

  /** @throws Problem 409 when another request has taken the key over meanwhile */
  async complete(tx: Tx, answer: Answer): Promise<void> {
    await this.completeWith(tx, answer.status, answer.text);
  }

  async completeWith(tx: Tx, status: number, response: string): Promise<void> {
    const { requestHash } = this;
    if (!(await this.store.complete(tx, { ...this.claim, status, response, requestHash })))
      throw conflict('IDEMPOTENCY.KEY_LOST', 'the key was taken over by another request; ask again');
    this.completed = true;
  }
}
