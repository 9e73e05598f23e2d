import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { unreadable } from '../problem/problem.js';

const signatureBytes = 12;

/**
 * Cursors: opaque to callers, signed so that a forged or shortened one is found out, and bound to the path and filters
 * they were given for, so that one from another list is refused instead of giving an empty page.
 */
export class CursorCodec {
  private readonly key: Buffer;

  constructor(secret: string) {
    this.key = createHash('sha256').update(`fanfold cursor ${secret}`).digest();
  }

  /** The cursor after `position`; null stays null. */
  next(request: Request, position: readonly (string | number)[] | null): string | null {
    if (position === null) return null;
    const body = Buffer.from(JSON.stringify(position), 'utf8');
    return Buffer.concat([this.sign(request, body), body]).toString('base64url');
  }

  /**
   * The position of the request's cursor; null without one.
   * @throws Problem 400
   */
  position(request: Request, cursor: string | undefined): (string | number)[] | null {
    if (cursor === undefined) return null;
    const bytes = /^[A-Za-z0-9_-]{1,1024}$/.test(cursor) ? Buffer.from(cursor, 'base64url') : Buffer.alloc(0);
    const body = bytes.subarray(signatureBytes);
    const sound =
      body.length > 0 &&
      bytes.toString('base64url') === cursor &&
      timingSafeEqual(bytes.subarray(0, signatureBytes), this.sign(request, body));
    if (!sound) throw unreadable('REQUEST.CURSOR', 'the cursor is none of this list');
    return JSON.parse(body.toString('utf8')) as (string | number)[];
  }

  private sign(request: Request, body: Buffer): Buffer {
    const filters = Object.entries(request.query)
      .filter(([name]) => name !== 'cursor' && name !== 'limit')
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return createHmac('sha256', this.key)
      .update(JSON.stringify([request.path, filters]))
      .update(body)
      .digest()
      .subarray(0, signatureBytes);
  }
}
