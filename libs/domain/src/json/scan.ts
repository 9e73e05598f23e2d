/**
 * Where things end in JSON text. Everything here walks UTF-16 code units without recursion and without building values,
 * and trusts that the text has passed `checkJson`: it finds borders, it does not validate.
 */
export const quote = 0x22;
export const backslash = 0x5c;
export const comma = 0x2c;
export const colon = 0x3a;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;
export const openBracket = 0x5b;
export const closeBracket = 0x5d;

/** The four characters that JSON counts as white space. */
export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** The first offset from `at` on that holds no white space. */
export function skipSpace(text: string, at: number): number {
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

/**
 * The offset after the string that opens at `at`, or -1 when it never closes. A quote preceded by an odd number of
 * backslashes is escaped; each run of backslashes is looked at once, so the walk is linear.
 */
export function endOfString(text: string, at: number): number {
  let close = text.indexOf('"', at + 1);
  while (close !== -1 && text.charCodeAt(close - 1) === backslash) {
    let run = 2;
    while (text.charCodeAt(close - run) === backslash) run++;
    if ((run - 1) % 2 === 0) break;
    close = text.indexOf('"', close + 1);
  }
  return close === -1 ? -1 : close + 1;
}

/** The offset after the value that starts at `at` (no white space before it). */
export function endOfValue(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (first === quote) return closedString(text, at);
  if (first === openBrace || first === openBracket) return endOfContainer(text, at);
  return endOfScalar(text, at);
}

function endOfContainer(text: string, at: number): number {
  let depth = 0;
  for (let i = at; i < text.length;) {
    const code = text.charCodeAt(i);
    if (code === quote) {
      i = closedString(text, i);
      continue;
    }
    i++;
    if (code === openBrace || code === openBracket) depth++;
    else if ((code === closeBrace || code === closeBracket) && --depth === 0) return i;
  }
  return text.length;
}

function endOfScalar(text: string, at: number): number {
  let i = at;
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === comma || code === closeBracket || code === closeBrace || isSpace(code)) break;
  }
  return i;
}

function closedString(text: string, at: number): number {
  const end = endOfString(text, at);
  return end === -1 ? text.length : end;
}
