import type { NextFunction, Request, Response } from 'express';
import { notFound, unreadable } from '../problem/problem.js';

/** Refuses paths that are no percent-encoded UTF-8, and those with a NUL: nothing can be named so. */
export function pathCheck(request: Request, response: Response, next: NextFunction): void {
  response.setHeader('x-content-type-options', 'nosniff');
  let path: string;
  try {
    path = decodeURIComponent(request.path);
  } catch {
    return next(unreadable('REQUEST.PATH', 'the path is not percent-encoded UTF-8'));
  }
  next(path.includes('\u0000') ? notFound('what the path names', 'REQUEST.ROUTE_UNKNOWN') : undefined);
}
