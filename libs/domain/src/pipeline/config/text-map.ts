/** Objects whose values become text: headers, environments. */
import { literalTemplate, type Template } from '../../expression/template.js';
import { jsonKind } from '../../json/cut.js';
import { Fields, readTemplate, shown, type Located } from '../fields.js';
import type { Place } from '../place.js';

export const emptyObject: Template = literalTemplate('{}');

/** One template over an object of scalars, secrets allowed; each name is checked by `refusal`. */
export function readTextMap(fields: Fields, name: string, refusal: (name: string) => string | null): Template {
  const value = fields.raw(name);
  const map = value && Fields.read(value, fields.place);
  if (!value || !map) return emptyObject;
  for (const member of map.names()) {
    const why = refusal(member);
    if (why !== null) map.report(member, why);
    const text = map.raw(member)!;
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
  return readTextMap(fields, 'env', (name) =>
    variableName.test(name) ? null : 'must be named by letters, digits and underscores, not starting with a digit',
  );
}
