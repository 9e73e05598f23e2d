/** JSON text that goes out as it is: a payload's digits, key order and escapes survive the answer (I11). */
export class JsonText {
  constructor(readonly text: string) {}
}

export function exactText(text: string): JsonText {
  return new JsonText(text);
}

export function exactOrNull(text: string | null | undefined): JsonText | null {
  return text === null || text === undefined ? null : new JsonText(text);
}

/**
 * JSON text of a value made of plain objects, arrays, scalars and dates, with each `JsonText` spliced in untouched.
 * Members that are undefined are left out, as JSON.stringify does.
 */
export function writeJson(value: unknown): string {
  if (value instanceof JsonText) return value.text;
  if (value === null || value === undefined) return 'null';
  if (typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (value instanceof Date) return `"${value.toISOString()}"`;
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`;
  const members: string[] = [];
  for (const [name, member] of Object.entries(value))
    if (member !== undefined) members.push(`${JSON.stringify(name)}:${writeJson(member)}`);
  return `{${members.join(',')}}`;
}
