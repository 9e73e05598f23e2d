/** One text per JSON value, for comparing requests and definitions. */
import {
  closeBrace,
  closeBracket,
  colon,
  comma,
  endOfString,
  endOfValue,
  isSpace,
  openBrace,
  openBracket,
  quote,
} from './scan.js';
import { decodeString, encodeString } from './string-text.js';

interface OpenContainer {
  readonly members: Map<string, string> | null;
  readonly elements: string[];
  name: string | null;
}

/**
 * The text with member names sorted by code unit, the last of duplicate names kept, strings in one spelling and no white
 * space. Numbers stay the text they are: `1`, `1.0` and `1e0` differ, and no digit is lost. Without recursion.
 */
export function canonicalJson(text: string): string {
  const open: OpenContainer[] = [];
  let whole = '';
  const put = (value: string): void => {
    const top = open.at(-1);
    if (!top) whole = value;
    else if (!top.members) top.elements.push(value);
    else {
      top.members.set(top.name!, value);
      top.name = null;
    }
  };
  for (let i = 0; i < text.length;) {
    const code = text.charCodeAt(i);
    if (isSpace(code) || code === comma || code === colon) i++;
    else if (code === openBrace || code === openBracket) {
      open.push({ members: code === openBrace ? new Map() : null, elements: [], name: null });
      i++;
    } else if (code === closeBrace || code === closeBracket) {
      put(closed(open.pop()!));
      i++;
    } else {
      const end = code === quote ? endOfString(text, i) : endOfValue(text, i);
      const value = text.slice(i, end);
      const top = open.at(-1);
      if (top?.members && top.name === null) top.name = decodeString(value);
      else put(code === quote ? encodeString(decodeString(value)) : value);
      i = end;
    }
  }
  return whole;
}

function closed(container: OpenContainer): string {
  if (!container.members) return `[${container.elements.join(',')}]`;
  const names = [...container.members.keys()].sort();
  return `{${names.map((name) => `${encodeString(name)}:${container.members!.get(name)!}`).join(',')}}`;
}
