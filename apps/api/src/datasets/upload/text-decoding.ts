/**
 * Bytes of an upload → text, piece by piece, without ever putting a replacement character where bytes cannot be decoded.
 * UTF-8, with or without byte-order mark; UTF-16 of either order with one. Pieces end anywhere, also inside a character.
 */
import { isAscii, isUtf8 } from 'node:buffer';

/** Bytes that stand for no text. What came before them has been given out. */
export class Undecodable extends Error {
  constructor(readonly encoding: string) {
    super(`bytes that are not ${encoding}`);
  }
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

export class TextDecoding {
  private encoding: Encoding | null = null;
  private rest: Buffer = Buffer.alloc(0);

  constructor(private readonly sink: (text: string) => void) {}

  /** @throws Undecodable */
  push(bytes: Buffer): void {
    let all = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes]);
    this.rest = Buffer.alloc(0);
    if (this.encoding === null) {
      if (all.length < 3) {
        this.rest = all;
        return;
      }
      all = this.begin(all);
    }
    this.decode(all, false);
  }

  /** @throws Undecodable when the bytes end inside a character */
  end(): void {
    let all = this.rest;
    this.rest = Buffer.alloc(0);
    if (this.encoding === null) all = this.begin(all);
    this.decode(all, true);
  }

  /** Finds the encoding and cuts the byte-order mark off. */
  private begin(bytes: Buffer): Buffer {
    if (bytes[0] === 0xff && bytes[1] === 0xfe) this.encoding = 'utf-16le';
    else if (bytes[0] === 0xfe && bytes[1] === 0xff) this.encoding = 'utf-16be';
    else this.encoding = 'utf-8';
    if (this.encoding !== 'utf-8') return bytes.subarray(2);
    return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
  }

  private decode(bytes: Buffer, last: boolean): void {
    if (this.encoding === 'utf-8') this.decodeUtf8(bytes, last);
    else this.decodeUtf16(bytes, last);
  }

  private decodeUtf8(bytes: Buffer, last: boolean): void {
    const end = last ? bytes.length : completeUtf8(bytes);
    const whole = bytes.subarray(0, end);
    // A copy: the piece it lies in is large, and this is at most three bytes.
    this.rest = Buffer.from(bytes.subarray(end));
    if (isAscii(whole)) return this.give(whole.toString('latin1'));
    if (isUtf8(whole)) return this.give(whole.toString('utf8'));
    this.give(whole.subarray(0, soundUtf8(whole)).toString('utf8'));
    throw new Undecodable('UTF-8');
  }

  private decodeUtf16(bytes: Buffer, last: boolean): void {
    const even = bytes.length - (bytes.length % 2);
    let whole = bytes.subarray(0, even);
    if (this.encoding === 'utf-16be') whole = Buffer.from(whole).swap16();
    let text = whole.toString('utf16le');
    let units = text.length;
    const code = text.charCodeAt(units - 1);
    if (!last && code >= 0xd800 && code <= 0xdbff) text = text.slice(0, --units);
    this.rest = Buffer.from(bytes.subarray(units * 2));
    const lone = text.search(/[\ud800-\udfff]/u);
    this.give(lone === -1 ? text : text.slice(0, lone));
    if (lone !== -1 || (last && this.rest.length > 0)) throw new Undecodable('UTF-16');
  }

  private give(text: string): void {
    if (text.length > 0) this.sink(text);
  }
}

/** How many bytes hold whole characters: all but a character that is cut off at the end. */
function completeUtf8(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return back < length ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** How many bytes can be decoded before the first one that cannot: the longest sound prefix, found by halving. */
function soundUtf8(bytes: Buffer): number {
  let sound = 0;
  let broken = bytes.length;
  while (broken - sound > 1) {
    const middle = Math.floor((sound + broken) / 2);
    const prefix = bytes.subarray(0, middle);
    if (isUtf8(prefix.subarray(0, completeUtf8(prefix)))) sound = middle;
    else broken = middle;
  }
  return completeUtf8(bytes.subarray(0, sound));
}
