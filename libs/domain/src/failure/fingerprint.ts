/** Grouping failures that have one cause (api.md, `GET …/failures`). */
import type { FailureDetail } from './failure-detail.js';

const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const quoted = /"[^"]*"|`[^`]*`|(?<![A-Za-z0-9])'[^']*'/g;
const number = /\d+(?:[.,:]\d+)*/g;

/**
 * A short stable name of a failure's cause: 16 hexadecimal digits, the FNV-1a hash (64 bits) of class, code, status and
 * the message with ids, quoted parts and numbers taken out. Item, attempt and body do not count.
 */
export function fingerprint(failure: FailureDetail): string {
  const { class: kind, code, status } = failure;
  return fnv1a64([kind, code, status ?? '', normalizeMessage(failure.message)].join('\n'));
}

/** The message with what differs from item to item replaced: `row <n> of <text> is unknown`. */
export function normalizeMessage(message: string): string {
  return message.replace(uuid, '<id>').replace(quoted, '<text>').replace(number, '<n>').replace(/\s+/g, ' ').trim();
}

/**
 * FNV-1a, 64 bits, over the bytes of the UTF-16 code units (one byte for ASCII), as hexadecimal digits. In two halves of
 * 32 bits, so that all products stay exact: the prime is 2^40 + 0x1b3.
 */
export function fnv1a64(text: string): string {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  const add = (byte: number): void => {
    low = (low ^ byte) >>> 0;
    const product = low * 0x1b3;
    high = (high * 0x1b3 + Math.floor(product / 2 ** 32) + ((low << 8) >>> 0)) % 2 ** 32;
    low = product % 2 ** 32;
  };
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    add(unit & 0xff);
    if (unit > 0x7f) add(unit >>> 8);
  }
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
}
