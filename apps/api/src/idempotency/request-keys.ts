/**
 * Request keys (`Idempotency-Key`). A key is claimed by a row before the request is worked on; fifty equal requests meet
 * at that row, one of them works, the others are told to come back. The answer is stored with the effect.
 *
 * What happens if the process dies: before the effect is committed, nothing was done, and the claim is free again 30 s
 * after its last renewal. After the commit, the answer is there and every repetition gets it. A claim that was taken over
 * cannot complete (its token is gone), so its effect is rolled back with it.
 */
import { createHash, randomUUID } from 'node:crypto';
import { canonicalJson } from '@app/domain';
import type { Database, IdempotencyClaim, IdempotencyKeyStore, KnownRequest } from '@app/persistence';
import { Problem, refused, unreadable } from '../problem/problem.js';
import type { ApiRequest } from '../request/api-request.js';
import { KeyClaim } from './key-claim.js';

const keepFor = '24 hours';
const deadAfter = '30 seconds';
/** Stands for a body that is not known yet. */
const unknownHash = Buffer.alloc(0);

export type ClaimResult = { readonly claim: KeyClaim } | { readonly known: KnownRequest };

export class RequestKeys {
  private readonly inWork = new Set<IdempotencyClaim>();

  constructor(
    private readonly database: Database,
    private readonly store: IdempotencyKeyStore,
  ) {}

  /** Claims the key of a request whose body is at hand; null when it carries none. */
  async claim(request: ApiRequest): Promise<ClaimResult | null> {
    const key = keyOf(request);
    if (key === null) return null;
    return this.take(request, key, requestHash(request, canonicalJson(request.bodyText)));
  }

  /** Claims the key of an upload, whose hash is known only when its body has been read. */
  async claimUpload(request: ApiRequest): Promise<ClaimResult | null> {
    const key = keyOf(request);
    return key === null ? null : this.take(request, key, unknownHash);
  }

  async release(claim: KeyClaim): Promise<void> {
    this.inWork.delete(claim.claim);
    // Guarded by the row: an answer that was committed after all stays.
    await this.store.release(this.database.any, claim.claim);
  }

  done(claim: KeyClaim): void {
    this.inWork.delete(claim.claim);
  }

  /** Renews everything this process has in work. */
  async renew(): Promise<void> {
    if (this.inWork.size > 0) await this.store.renew(this.database.any, { claims: [...this.inWork] });
  }

  private async take(request: ApiRequest, key: string, hash: Buffer): Promise<ClaimResult> {
    const scope = sha256Hex(`${request.caller.keyId} ${request.method} ${request.path}`);
    const claim: IdempotencyClaim = { scope, key, token: randomUUID() };
    for (let tries = 0; tries < 3; tries++) {
      const mine = await this.store.claim(this.database.any, { ...claim, requestHash: hash, keepFor, deadAfter });
      if (mine) {
        this.inWork.add(claim);
        return { claim: new KeyClaim(this.store, claim, hash) };
      }
      const known = await this.store.find(this.database.any, claim);
      if (!known) continue;
      const comparable = hash.length > 0 && known.requestHash.length > 0;
      if (comparable && !known.requestHash.equals(hash)) throw keyReused();
      if (known.status === null) break;
      return { known };
    }
    throw inWork();
  }
}

/** What a repetition must be equal in: the query and the body. */
export function requestHash(request: ApiRequest, body: string): Buffer {
  const query = JSON.stringify(Object.entries(request.query).sort(([a], [b]) => (a < b ? -1 : 1)));
  return createHash('sha256').update(query).update('\n').update(body).digest();
}

export function keyReused(): Problem {
  return refused([], 'IDEMPOTENCY.KEY_REUSED', 'the Idempotency-Key was used for another request');
}

function inWork(): Problem {
  return new Problem({
    status: 409,
    code: 'IDEMPOTENCY.IN_PROGRESS',
    detail: 'the first request with this Idempotency-Key is still in work',
    headers: { 'retry-after': '1' },
  });
}

function keyOf(request: ApiRequest): string | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(key))
    throw unreadable('REQUEST.HEADER', 'Idempotency-Key must be 1 to 255 printable ASCII characters');
  return key;
}

function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
