import { createHash, timingSafeEqual } from 'node:crypto';
import type { ApiKeyStore, Database } from '@app/persistence';
import type { NextFunction, Request, Response } from 'express';
import { Problem } from '../problem/problem.js';
import { discardRest } from '../request/body.middleware.js';
import type { ApiRequest } from '../request/api-request.js';
import type { Caller } from './caller.js';

/** Finds out who asks, for everything below `/v1`, before the body is read. Health, metrics and docs need no key. */
export function authentication(bootstrapKey: string, database: Database, keys: ApiKeyStore) {
  const bootstrapHash = sha256(bootstrapKey);
  const callerOf = async (request: Request): Promise<Caller> => {
    const secret = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
    if (!secret) throw unauthenticated('send Authorization: Bearer <key>');
    const hash = sha256(secret);
    if (timingSafeEqual(hash, bootstrapHash)) return { keyId: 'bootstrap', name: 'bootstrap', role: 'admin' };
    const key = await keys.find(database.any, { secretHash: hash });
    if (!key) throw unauthenticated('the key is not known');
    return { keyId: key.id, name: key.name, role: key.role };
  };
  return (request: Request, response: Response, next: NextFunction): void => {
    if (request.path !== '/v1' && !request.path.startsWith('/v1/')) return next();
    callerOf(request).then(
      (caller) => {
        (request as ApiRequest).caller = caller;
        next();
      },
      (error: unknown) => {
        discardRest(request, response);
        next(error);
      },
    );
  };
}

function unauthenticated(detail: string): Problem {
  const headers = { 'www-authenticate': 'Bearer' };
  return new Problem({ status: 401, code: 'ACCESS.UNAUTHENTICATED', detail, headers });
}

export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
