/**
 * The border check of every payload: strict RFC 8259, by a state machine over UTF-16 code units, without recursion and
 * without building values. What is legal there stays legal here: numbers of any size (`1e400`), `\u0000` and lone
 * surrogates in strings, duplicate keys.
 */
import { formatPath } from './json-path.js';
import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  endOfString,
  openBrace,
  openBracket,
  quote,
  skipSpace,
} from './scan.js';
import { decodeString } from './string-text.js';

export interface JsonDefect {
  /** Offset of the first code unit that is wrong. */
  readonly offset: number;
  /** Where in the value that is, as `items[3].name`; empty at the top. */
  readonly path: string;
  readonly message: string;
}

export interface JsonLimits {
  /** How many arrays and objects may enclose a value. Default 1000. */
  readonly maxDepth?: number;
}

/** Null when the text is one JSON value, else the first defect. */
export function checkJson(text: string, limits: JsonLimits = {}): JsonDefect | null {
  const maxDepth = limits.maxDepth ?? 1000;
  const inObject: boolean[] = [];
  let at = skipSpace(text, 0);
  for (;;) {
    const code = text.charCodeAt(at);
    let closed = false;
    if (code === openBrace || code === openBracket) {
      if (inObject.length >= maxDepth) return defect(text, at, `nested more than ${maxDepth} deep`);
      const object = code === openBrace;
      inObject.push(object);
      at = skipSpace(text, at + 1);
      if (text.charCodeAt(at) === (object ? closeBrace : closeBracket)) {
        inObject.pop();
        at++;
        closed = true;
      } else if (!object) continue;
    } else {
      const end = code === quote ? checkString(text, at) : checkScalar(text, at);
      if (end < 0) return wrongValue(text, at, ~end);
      at = end;
      closed = true;
    }
    while (closed) {
      if (inObject.length === 0) {
        at = skipSpace(text, at);
        return at === text.length ? null : defect(text, at, `unexpected ${shown(text, at)} after the value`);
      }
      const object = inObject[inObject.length - 1]!;
      at = skipSpace(text, at);
      const next = text.charCodeAt(at);
      if (next === comma) {
        at = skipSpace(text, at + 1);
        closed = false;
      } else if (next === (object ? closeBrace : closeBracket)) {
        inObject.pop();
        at++;
      } else return defect(text, at, `expected "," or "${object ? '}' : ']'}", found ${shown(text, at)}`);
    }
    if (inObject[inObject.length - 1]) {
      if (text.charCodeAt(at) !== quote) return defect(text, at, `expected a member name, found ${shown(text, at)}`);
      const end = checkString(text, at);
      if (end < 0) return wrongValue(text, at, ~end);
      at = skipSpace(text, end);
      if (text.charCodeAt(at) !== colon) return defect(text, at, `expected ":", found ${shown(text, at)}`);
      at = skipSpace(text, at + 1);
    }
  }
}

/** The offset after the string, or the complement of the offset of what is wrong in it. */
function checkString(text: string, at: number): number {
  for (let i = at + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === quote) return i + 1;
    if (code < 0x20) return ~i;
    if (code === backslash) {
      const length = escapeLength(text, i);
      if (length === 0) return ~i;
      i += length - 1;
    }
  }
  return ~text.length;
}

function escapeLength(text: string, at: number): number {
  const kind = text[at + 1];
  if (kind === undefined) return 0;
  if ('"\\/bfnrt'.includes(kind)) return 2;
  if (kind !== 'u') return 0;
  for (let i = at + 2; i < at + 6; i++) if (!isHex(text.charCodeAt(i))) return 0;
  return 6;
}

function isHex(code: number): boolean {
  return isDigit(code) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66);
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function checkScalar(text: string, at: number): number {
  for (const word of ['true', 'false', 'null']) if (text.startsWith(word, at)) return at + word.length;
  return checkNumber(text, at);
}

function checkNumber(text: string, at: number): number {
  let i = at;
  if (text[i] === '-') i++;
  if (text[i] === '0') i++;
  else {
    const end = skipDigits(text, i);
    if (end === i) return ~i;
    i = end;
  }
  if (text[i] === '.') {
    const end = skipDigits(text, i + 1);
    if (end === i + 1) return ~end;
    i = end;
  }
  if (text[i] === 'e' || text[i] === 'E') {
    const digits = text[i + 1] === '+' || text[i + 1] === '-' ? i + 2 : i + 1;
    const end = skipDigits(text, digits);
    if (end === digits) return ~end;
    i = end;
  }
  return i;
}

function skipDigits(text: string, at: number): number {
  while (isDigit(text.charCodeAt(at))) at++;
  return at;
}

function wrongValue(text: string, start: number, at: number): JsonDefect {
  if (text.charCodeAt(start) !== quote) return defect(text, at, `unexpected ${shown(text, at)}`);
  if (at >= text.length) return defect(text, at, 'a string is not closed');
  const message = text.charCodeAt(at) === backslash ? 'a bad escape in a string' : 'a control character in a string';
  return defect(text, at, message);
}

function shown(text: string, at: number): string {
  return at >= text.length ? 'the end' : JSON.stringify(String.fromCodePoint(text.codePointAt(at)!));
}

function defect(text: string, offset: number, message: string): JsonDefect {
  return { offset, path: pathAt(text, offset), message: `${message} at offset ${offset}` };
}

/** The path of the value around `offset`, in a text that is sound up to there. */
function pathAt(text: string, offset: number): string {
  const path: (string | number)[] = [];
  for (let i = 0; i < offset;) {
    const code = text.charCodeAt(i);
    const last = path.length - 1;
    if (code === quote) {
      const end = endOfString(text, i);
      if (end === -1 || end > offset) break;
      if (typeof path[last] === 'string' && text.charCodeAt(skipSpace(text, end)) === colon)
        path[last] = decodeString(text.slice(i, end));
      i = end;
      continue;
    }
    if (code === openBrace) path.push('');
    else if (code === openBracket) path.push(0);
    else if (code === closeBrace || code === closeBracket) path.pop();
    else if (code === comma) path[last] = typeof path[last] === 'number' ? path[last] + 1 : '';
    i++;
  }
  if (path.at(-1) === '') path.pop();
  return formatPath(path);
}
