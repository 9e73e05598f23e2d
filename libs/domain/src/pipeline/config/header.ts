/** What a header of a call may be: of HTTP nodes, look-ups and notices. */
import { splitTemplate } from '../../expression/template-text.js';
import { jsonKind } from '../../json/cut.js';
import { decodeString } from '../../json/string-text.js';

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const hostAndPort = /^(\[[0-9a-f:.]+\]|[^\s:[\]/?#@\\]+)(:\d{1,5})?$/i;

/** They belong to the connection, which the executor's client keeps itself. */
const ofConnection: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Whether a header can carry this text: one line of Latin-1 (RFC 9110, 5.5). */
export function isHeaderText(text: string): boolean {
  return !/[^\t\x20-\x7e\x80-\xff]/.test(text);
}

/**
 * What is wrong with a header as it is written, or null. What templates will make of it is seen at the call only.
 * @param value exact JSON text
 */
export function headerDefect(name: string, value: string): string | null {
  if (!token.test(name)) return 'is no name of a header';
  const lower = name.toLowerCase();
  if (ofConnection.has(lower)) return 'is a header of the connection, which the executor sets itself';
  const literals = literalsOf(value);
  if (!literals.every(isHeaderText)) return 'holds a line break or another character that no header can carry';
  const isHostless = lower === 'host' && !value.includes('${') && !hostAndPort.test(literals.join(''));
  return isHostless ? 'must be a host, with or without a port' : null;
}

/** What stands outside the expressions of a value. */
function literalsOf(value: string): readonly string[] {
  if (jsonKind(value) !== 'string') return [value];
  const parts = splitTemplate(decodeString(value));
  return typeof parts === 'number' ? [] : parts.flatMap((part) => (part.kind === 'literal' ? [part.text] : []));
}
