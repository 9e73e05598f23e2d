import type { Request } from 'express';
import type { Caller } from '../access/caller.js';
import type { KeyClaim } from '../idempotency/key-claim.js';

/** A request as the handlers see it. */
export interface ApiRequest extends Request {
  /** Who asks; set for everything below `/v1`. */
  caller: Caller;
  /** The body as the exact JSON text that came in; `{}` where there was none. */
  bodyText: string;
  /** The request key it claimed, if it sent one. */
  claim?: KeyClaim;
  /** Its audit entry was written together with what it changed. */
  isAudited?: boolean;
}
