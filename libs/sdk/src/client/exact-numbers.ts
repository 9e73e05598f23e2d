import { endOfString } from '@app/domain/json/scan.js';

const number = /"|-?\d[\d.eE+-]*/g;

/**
 * The value of JSON text, as `JSON.parse` gives it, but that an integer which a JavaScript number would round comes as a
 * `bigint`. Fractions are numbers, as always.
 * @throws SyntaxError
 */
export function parseExact(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text) as unknown;
  const tag = unusedIn(text);
  let tagged = '';
  let from = 0;
  number.lastIndex = 0;
  for (let match = number.exec(text); match; match = number.exec(text)) {
    const [found] = match;
    if (found === '"') {
      const end = endOfString(text, match.index);
      if (end === -1) break;
      number.lastIndex = end;
    } else if (/^-?\d+$/.test(found) && !Number.isSafeInteger(Number(found))) {
      tagged += `${text.slice(from, match.index)}"${tag}${found}"`;
      from = match.index + found.length;
    }
  }
  if (from === 0) return JSON.parse(text) as unknown;
  return JSON.parse(tagged + text.slice(from), (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith(tag) ? BigInt(value.slice(tag.length)) : value,
  ) as unknown;
}

/**
 * JSON text of a value, as `JSON.stringify` gives it, with every digit of a `bigint`, and with the text of an
 * `exactJson(text)` as it is.
 * @throws TypeError for a cycle, and for what has no JSON, such as a function
 */
export function exactText(value: unknown): string {
  const raw: string[] = [];
  const plain = JSON.stringify(value, (_key, member: unknown) => {
    const text = rawText(member);
    if (text === null) return member;
    raw.push(text);
    return null;
  }) as string | undefined;
  if (plain === undefined) throw new TypeError(`a ${typeof value} has no JSON`);
  if (raw.length === 0) return plain;
  const tag = unusedIn(plain);
  let next = 0;
  const tagged = JSON.stringify(value, (_key, member: unknown) =>
    rawText(member) === null ? member : `${tag}${next++}`,
  );
  return tagged.replaceAll(new RegExp(`"${tag}(\\d+)"`, 'g'), (_all, index: string) => raw[Number(index)]!);
}

function rawText(value: unknown): string | null {
  if (typeof value === 'bigint') return String(value);
  const { fanfold, text } = (value ?? {}) as { fanfold?: unknown; text?: unknown };
  return fanfold === 'json' && typeof text === 'string' ? text : null;
}

function unusedIn(text: string): string {
  let tag = 'exact:';
  while (text.includes(tag)) tag = `_${tag}`;
  return tag;
}
