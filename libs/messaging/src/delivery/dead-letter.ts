import type { PoisonReason } from './decode.js';

/** Logical name of the queue of messages that could not be understood. An operator may read and purge it at any time. */
export const DEAD_LETTER_QUEUE = 'dead_letter';

/** Dead letters kept; beyond it the oldest go. */
export const DEAD_LETTER_LIMIT = 1_000;

const EXCERPT_BYTES = 4_096;

/** A message set aside, with enough of it to tell where it came from. */
export interface DeadLetter {
  readonly queue: string;
  readonly reason: PoisonReason;
  readonly detail: string;
  readonly bytes: number;
  /** The beginning of the body; base64 where it is no text. */
  readonly excerpt: string;
  readonly encoding: 'utf8' | 'base64';
  readonly at: string;
}

export const deadLetter = (
  queue: string,
  body: Buffer | string,
  { reason, detail }: { reason: PoisonReason; detail: string },
  now: number,
): DeadLetter => {
  const binary = reason === 'not_utf8';
  const excerpt = Buffer.from(body as string).subarray(0, EXCERPT_BYTES);
  return {
    queue,
    reason,
    detail,
    bytes: Buffer.byteLength(body),
    // A cut may fall inside a character; the replacement mark is the price of an excerpt.
    excerpt: excerpt.toString(binary ? 'base64' : 'utf8'),
    encoding: binary ? 'base64' : 'utf8',
    at: new Date(now).toISOString(),
  };
};
