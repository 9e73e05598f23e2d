import { checkJson } from '@app/domain';
import type { NextFunction, Request, Response } from 'express';
import { Problem, unreadable } from '../problem/problem.js';
import type { ApiRequest } from './api-request.js';
import { decompressed, isBrokenCompression } from './decompression.js';
import { whileReceiving } from './receiving.js';

/**
 * Reads the body of a changing request as text: bounded after decompression, strict UTF-8, one JSON value. The text is
 * kept as it came, as it may carry payloads. Uploads of datasets are left alone: they are streamed.
 */
export function bodyReader(limitBytes: number) {
  return (request: Request, response: Response, next: NextFunction): void => {
    if (!request.path.startsWith('/v1/') || isUpload(request)) return next();
    readBody(request as ApiRequest, limitBytes).then(
      () => next(),
      (error: unknown) => {
        discardRest(request, response);
        next(error);
      },
    );
  };
}

function isUpload(request: Request): boolean {
  return request.method === 'POST' && /^\/v1\/datasets\/?$/.test(request.path);
}

async function readBody(request: ApiRequest, limitBytes: number): Promise<void> {
  request.bodyText = '{}';
  if (request.method === 'GET' || request.method === 'HEAD') return;
  const declared = Number(request.headers['content-length'] ?? 0);
  if (!request.headers['content-encoding'] && declared > limitBytes) throw tooLarge(limitBytes);
  const bytes = await whileReceiving(request, () => collect(request, limitBytes));
  if (bytes.length === 0) return;
  const charset = /charset\s*=\s*"?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1]?.toLowerCase();
  if (charset && !['utf-8', 'utf8', 'us-ascii'].includes(charset))
    throw unreadable('REQUEST.HEADER', `the body must be UTF-8, not ${charset.slice(0, 64)}`);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unreadable('REQUEST.NOT_UTF8', 'the body is not UTF-8');
  }
  if (text.trim() === '') return;
  const defect = checkJson(text);
  if (defect)
    throw unreadable('REQUEST.NOT_JSON', 'the body is not JSON', [
      { path: defect.path.slice(0, longestPath), message: defect.message },
    ]);
  request.bodyText = text;
}

async function collect(request: ApiRequest, limitBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const stream = decompressed(request);
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limitBytes) throw tooLarge(limitBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    if (isBrokenCompression(error)) throw unreadable('REQUEST.ENCODING', 'the compressed body is broken');
    throw unreadable('REQUEST.ABORTED', 'the body ended before it was complete');
  } finally {
    if (stream !== (request as unknown)) {
      request.unpipe();
      stream.destroy();
    }
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size);
}

function tooLarge(limitBytes: number): Problem {
  return new Problem({
    status: 413,
    code: 'REQUEST.TOO_LARGE',
    detail: `the body is larger than ${limitBytes} bytes; longer lists are uploaded as datasets`,
    facts: { limitBytes },
  });
}

const discardMillis = 5_000;

/** Of a path that is told: one into a thousand nested lists helps nobody. */
const longestPath = 256;

/** A caller that is still sending must be able to read the answer: what comes is thrown away for a bounded time. */
export function discardRest(request: Request, response: Response): void {
  if (request.complete) return;
  response.setHeader('connection', 'close');
  request.resume();
  setTimeout(() => {
    if (!request.complete) request.destroy();
  }, discardMillis).unref();
}
