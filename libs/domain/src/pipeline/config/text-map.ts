/** Objects whose values become text: headers, environments. */
import { literalTemplate, type Template } from '../../expression/template.js';
import { jsonKind } from '../../json/cut.js';
import { decodeString } from '../../json/string-text.js';
import { Fields, readTemplate, shown, type Located } from '../fields.js';
import type { Place } from '../place.js';

export const emptyObject: Template = literalTemplate('{}');

/** One template over an object of scalars, secrets allowed; each member, its value as exact JSON text, is checked by `refusal`. */
export function readTextMap(
  fields: Fields,
  name: string,
  refusal: (name: string, value: string) => string | null,
): Template {
  const value = fields.raw(name);
  const map = value && Fields.read(value, fields.place);
  if (!value || !map) return emptyObject;
  for (const member of map.names()) {
    const text = map.raw(member)!;
    const why = refusal(member, text.text);
    if (why !== null) map.report(member, why);
    requireScalar(text, fields.place);
  }
  return readTemplate(value, fields.place, true) ?? emptyObject;
}

/** Reports a value that has no plain text: null, lists and objects. */
export function requireScalar(value: Located, place: Place): void {
  const kind = jsonKind(value.text);
  if (kind === 'string' || kind === 'number' || kind === 'boolean') return;
  place.report.add(value.path, `must be a string, a number or a boolean, is ${shown(value.text)}`);
}

const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** `env` of SHELL and SCRIPT. */
export function readEnvironment(fields: Fields): Template {
  return readTextMap(fields, 'env', (name, value) => {
    if (!variableName.test(name)) return 'must be named by letters, digits and underscores, not starting with a digit';
    return holdsNul(value) ? 'holds a NUL, which no environment can carry' : null;
  });
}

/** Whether a value is text with a NUL in it. @param value exact JSON text */
export function holdsNul(value: string): boolean {
  return jsonKind(value) === 'string' && decodeString(value).includes('\0');
}
