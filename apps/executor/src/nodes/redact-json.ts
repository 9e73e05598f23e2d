import { decodeString, encodeString } from '@app/domain';
import { endOfString } from '@app/domain/json/scan.js';

const number = /-?\d[\d.eE+-]*/g;

/**
 * Sound JSON text with `redact` applied to the values of its strings, names included, and to its numbers; one that changes
 * becomes a string. Everything else keeps its exact text.
 */
export function redactJson(text: string, redact: (value: string) => string): string {
  const inNumbers = (gap: string) => gap.replace(number, (found) => replaced(found, found, redact));
  let kept = '';
  let from = 0;
  for (let open = text.indexOf('"'); open !== -1; open = text.indexOf('"', from)) {
    const end = endOfString(text, open);
    if (end === -1) break;
    const found = text.slice(open, end);
    kept += inNumbers(text.slice(from, open)) + replaced(found, decodeString(found), redact);
    from = end;
  }
  return kept + inNumbers(text.slice(from));
}

function replaced(found: string, value: string, redact: (value: string) => string): string {
  const kept = redact(value);
  return kept === value ? found : encodeString(kept);
}
