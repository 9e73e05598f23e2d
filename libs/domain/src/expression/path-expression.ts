/** Expressions that are one path, as `item.id` or `input.list[3]["odd key"]`: cut from raw text, never evaluated. */
import type { JsonPath } from '../json/json-path.js';

const start = /^\s*([A-Za-z_][A-Za-z0-9_]*)/;
const part =
  /\s*(?:\.\s*([A-Za-z_][A-Za-z0-9_]*)|\[\s*(?:(\d{1,9})|"((?:[^"\\]|\\["'\\])*)"|'((?:[^'\\]|\\["'\\])*)')\s*\])/y;
const rest = /\s*$/y;

/** The first name and the path after it, or null when the expression is anything else. */
export function parsePath(source: string): { readonly root: string; readonly path: JsonPath } | null {
  const first = start.exec(source);
  if (!first || first[1] === 'true' || first[1] === 'false' || first[1] === 'null') return null;
  const path: (string | number)[] = [];
  let at = first[0].length;
  for (;;) {
    part.lastIndex = at;
    const next = part.exec(source);
    if (!next) break;
    const [, field, position, double, single] = next;
    path.push(position !== undefined ? Number(position) : (field ?? unescaped(double ?? single!)));
    at = part.lastIndex;
  }
  rest.lastIndex = at;
  return rest.test(source) ? { root: first[1]!, path } : null;
}

function unescaped(text: string): string {
  return text.replace(/\\(["'\\])/g, '$1');
}
