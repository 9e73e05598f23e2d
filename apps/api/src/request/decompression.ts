import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Request } from 'express';
import { Readable } from 'node:stream';
import { unreadable } from '../problem/problem.js';

/**
 * The request's bytes after its `Content-Encoding`. Errors of the source reach the reader; nothing is read ahead of it,
 * so an inflating body costs no more memory than one chunk.
 * @throws Problem 400 for an encoding that is not known
 */
export function decompressed(request: Request): Readable {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const inflate = inflaterOf(encoding);
  if (inflate === null) return request;
  // It may fail before anybody reads it; whoever does then is told. Unheard, the error would end the process.
  inflate.on('error', () => undefined);
  request.on('error', (error) => inflate.destroy(error));
  request.on('close', () => {
    if (!request.complete) inflate.destroy(new Error('the request was broken off'));
  });
  return request.pipe(inflate);
}

function inflaterOf(encoding: string) {
  if (encoding === 'identity' || encoding === '') return null;
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip();
  if (encoding === 'deflate') return createInflate();
  if (encoding === 'br') return createBrotliDecompress();
  throw unreadable('REQUEST.HEADER', `the content-encoding "${encoding.slice(0, 64)}" is not known`);
}

/** True for errors that mean the compressed bytes themselves are broken. */
export function isBrokenCompression(error: unknown): boolean {
  const code = (error as { code?: string } | null)?.code;
  return (
    typeof code === 'string' &&
    (code.startsWith('Z_') ||
      code.startsWith('ERR__ERROR') ||
      code.startsWith('ERR_PADDING') ||
      code.startsWith('ERR_BROTLI'))
  );
}
