import { createHash, type Hash } from 'node:crypto';
import { createGunzip } from 'node:zlib';
import type { Readable } from 'node:stream';
import { unreadable } from '../../problem/problem.js';
import { isBrokenCompression } from '../../request/decompression.js';
import { drained } from '../../request/drained.js';

/** Counts and hashes the bytes of an upload as they pass: those of the file itself, whatever it was packed in. */
export class UploadBytes {
  count = 0;
  private readonly hash: Hash = createHash('sha256');

  /**
   * The bytes of the file, unpacked where they begin like gzip.
   * @throws Problem 400 when the sender breaks off or the packing is broken
   */
  async *of(source: Readable): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of await unpacked(source)) {
        this.count += chunk.length;
        this.hash.update(chunk);
        yield chunk;
      }
    } catch (error) {
      if (isBrokenCompression(error)) throw unreadable('REQUEST.ENCODING', 'the compressed upload is broken');
      if (isBrokenOff(error)) throw unreadable('REQUEST.ABORTED', 'the upload was broken off');
      throw error;
    }
  }

  sha256(): string {
    return this.hash.digest('hex');
  }
}

async function unpacked(source: Readable): Promise<AsyncIterable<Buffer>> {
  const first = await firstBytes(source);
  if (first[0] !== 0x1f || first[1] !== 0x8b) return rest(first, source);
  const gunzip = createGunzip();
  // as in decompression.ts: its reader is told, whenever it comes
  gunzip.on('error', () => undefined);
  void feed(gunzip, first, source);
  return gunzip;
}

/** The first chunk, or the first two bytes at least, where the source has that many. */
async function firstBytes(source: Readable): Promise<Buffer> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes = Buffer.concat([bytes, chunk]);
    if (bytes.length >= 2) break;
  }
  return bytes;
}

async function* rest(first: Buffer, source: Readable): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first;
  yield* source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
}

async function feed(gunzip: ReturnType<typeof createGunzip>, first: Buffer, source: Readable): Promise<void> {
  try {
    for await (const chunk of rest(first, source)) {
      if (gunzip.destroyed) return;
      if (!gunzip.write(chunk)) await drained(gunzip);
    }
    gunzip.end();
  } catch (error) {
    gunzip.destroy(error as Error);
  }
}

function isBrokenOff(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE' || /aborted|broken off/.test(message ?? '');
}
