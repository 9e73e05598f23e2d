/** Cutting one value out of JSON text by its path, without parsing what lies around it. */
import type { JsonPath } from './json-path.js';
import {
  closeBrace,
  closeBracket,
  comma,
  endOfString,
  endOfValue,
  openBrace,
  openBracket,
  quote,
  skipSpace,
} from './scan.js';
import { decodeString } from './string-text.js';

/**
 * The exact text of the value at `path`, or undefined when there is none. A string names a member (of duplicates the
 * last, as JSON.parse has it; `__proto__` is a name like any other), a number an element; neither reaches into the other
 * kind of container nor into a scalar. The text must have passed `checkJson`.
 */
export function cutPath(text: string, path: JsonPath): string | undefined {
  if (path.length === 0) return text.trim();
  let at = skipSpace(text, 0);
  for (const part of path) {
    at = typeof part === 'string' ? memberAt(text, at, part) : elementAt(text, at, part);
    if (at === -1) return undefined;
  }
  return text.slice(at, endOfValue(text, at));
}

/** The offset of the value of the last member called `name` of the object at `at`, or -1. */
function memberAt(text: string, at: number, name: string): number {
  if (text.charCodeAt(at) !== openBrace) return -1;
  let found = -1;
  at = skipSpace(text, at + 1);
  while (at < text.length && text.charCodeAt(at) !== closeBrace) {
    const nameEnd = endOfString(text, at);
    const value = skipSpace(text, skipSpace(text, nameEnd) + 1);
    if (isNamed(text, at, nameEnd, name)) found = value;
    at = skipSpace(text, endOfValue(text, value));
    if (text.charCodeAt(at) === comma) at = skipSpace(text, at + 1);
  }
  return found;
}

function isNamed(text: string, start: number, end: number, name: string): boolean {
  if (end - start === name.length + 2 && text.startsWith(name, start + 1) && !name.includes('\\')) return true;
  const escape = text.indexOf('\\', start);
  return escape !== -1 && escape < end && decodeString(text.slice(start, end)) === name;
}

/** The offset of element `position` of the array at `at`, or -1. */
function elementAt(text: string, at: number, position: number): number {
  if (text.charCodeAt(at) !== openBracket) return -1;
  at = skipSpace(text, at + 1);
  for (let i = 0; at < text.length && text.charCodeAt(at) !== closeBracket; i++) {
    if (i === position) return at;
    at = skipSpace(text, endOfValue(text, at));
    if (text.charCodeAt(at) === comma) at = skipSpace(text, at + 1);
  }
  return -1;
}

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

/** What kind of value the text is; the text must have passed `checkJson`. */
export function jsonKind(text: string): JsonKind {
  const first = text.charCodeAt(skipSpace(text, 0));
  if (first === openBrace) return 'object';
  if (first === openBracket) return 'array';
  if (first === quote) return 'string';
  if (first === 0x6e) return 'null';
  return first === 0x74 || first === 0x66 ? 'boolean' : 'number';
}
