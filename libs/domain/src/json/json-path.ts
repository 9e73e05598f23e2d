/** Where a value lies in JSON: member names and element positions from the top. */
export type JsonPath = readonly (string | number)[];

const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** A path as people read it: `nodes[0].config["odd key"]`; empty for the top. */
export function formatPath(path: JsonPath): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (!plainName.test(part)) text += `[${JSON.stringify(part)}]`;
    else text += text === '' ? part : `.${part}`;
  }
  return text;
}
