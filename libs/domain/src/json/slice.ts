/** Cutting containers into the exact texts of their parts. The text must have passed `checkJson`. */
import { closeBrace, closeBracket, comma, endOfString, endOfValue, openBrace, openBracket, skipSpace } from './scan.js';
import { decodeString } from './string-text.js';

/**
 * The exact text of each element of a top-level array, in order. Linear in the text, constant in memory: 16 MiB are cut
 * without being parsed.
 * @throws TypeError when the text is no array
 */
export function* sliceElements(text: string): Generator<string, void, undefined> {
  let at = skipSpace(text, 0);
  if (text.charCodeAt(at) !== openBracket) throw new TypeError('the JSON text is no array');
  at = skipSpace(text, at + 1);
  while (at < text.length && text.charCodeAt(at) !== closeBracket) {
    const end = endOfValue(text, at);
    yield text.slice(at, end);
    at = skipSpace(text, end);
    if (text.charCodeAt(at) === comma) at = skipSpace(text, at + 1);
  }
}

/**
 * Name and exact value text of each member of a top-level object, in order, duplicates included.
 * @throws TypeError when the text is no object
 */
export function sliceMembers(text: string): [name: string, value: string][] {
  let at = skipSpace(text, 0);
  if (text.charCodeAt(at) !== openBrace) throw new TypeError('the JSON text is no object');
  const members: [string, string][] = [];
  at = skipSpace(text, at + 1);
  while (at < text.length && text.charCodeAt(at) !== closeBrace) {
    const nameEnd = endOfString(text, at);
    const value = skipSpace(text, skipSpace(text, nameEnd) + 1);
    const end = endOfValue(text, value);
    members.push([decodeString(text.slice(at, nameEnd)), text.slice(value, end)]);
    at = skipSpace(text, end);
    if (text.charCodeAt(at) === comma) at = skipSpace(text, at + 1);
  }
  return members;
}
