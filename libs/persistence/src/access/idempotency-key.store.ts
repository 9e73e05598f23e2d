import type { Tx } from '../database/database.js';
import { claimIdempotencyKey } from './claim-idempotency-key.sql.js';
import { completeIdempotencyKey } from './complete-idempotency-key.sql.js';
import { expireIdempotencyKeys } from './expire-idempotency-keys.sql.js';
import { findIdempotencyKey } from './find-idempotency-key.sql.js';
import { releaseIdempotencyKey } from './release-idempotency-key.sql.js';
import { renewIdempotencyKeys } from './renew-idempotency-keys.sql.js';

/** A request key in the hands of one request; the token tells it from an earlier or later claim of the same key. */
export interface IdempotencyClaim {
  readonly scope: string;
  readonly key: string;
  readonly token: string;
}

export interface KnownRequest {
  /** Empty while an upload's body is not known yet. */
  readonly requestHash: Buffer;
  /** Null while the first request is still in work. */
  readonly status: number | null;
  readonly response: string | null;
}

/** Request keys: one row per scope and key, claimed, then completed in the transaction of what the request does. */
export class IdempotencyKeyStore {
  /** True when the key is now this claim's. */
  async claim(
    tx: Tx,
    args: IdempotencyClaim & { requestHash: Buffer; keepFor: string; deadAfter: string },
  ): Promise<boolean> {
    const values = [args.scope, args.key, args.requestHash, args.token, args.keepFor, args.deadAfter];
    return (await tx.query(claimIdempotencyKey, values)).rowCount === 1;
  }

  async find(tx: Tx, args: { scope: string; key: string }): Promise<KnownRequest | null> {
    return (await tx.query<KnownRequest>(findIdempotencyKey, [args.scope, args.key])).rows[0] ?? null;
  }

  /** False when the claim was taken over. */
  async complete(
    tx: Tx,
    args: IdempotencyClaim & { status: number; response: string; requestHash: Buffer },
  ): Promise<boolean> {
    const values = [args.scope, args.key, args.token, args.status, args.response, args.requestHash];
    return (await tx.query(completeIdempotencyKey, values)).rowCount === 1;
  }

  async release(tx: Tx, args: IdempotencyClaim): Promise<void> {
    await tx.query(releaseIdempotencyKey, [args.scope, args.key, args.token]);
  }

  async renew(tx: Tx, args: { claims: readonly IdempotencyClaim[] }): Promise<void> {
    const { claims } = args;
    await tx.query(renewIdempotencyKeys, [
      claims.map((c) => c.scope),
      claims.map((c) => c.key),
      claims.map((c) => c.token),
    ]);
  }

  async expire(tx: Tx, args: { limit: number }): Promise<number> {
    return (await tx.query(expireIdempotencyKeys, [args.limit])).rowCount ?? 0;
  }
}
