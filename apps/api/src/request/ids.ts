import { notFound } from '../problem/problem.js';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return uuid.test(text);
}

/** The id in lower case; what cannot be an id does not exist. */
export function knownId(text: string, what = 'the execution', code = 'EXECUTION.UNKNOWN'): string {
  if (!uuid.test(text)) throw notFound(`${what} ${JSON.stringify(text.slice(0, 64))}`, code);
  return text.toLowerCase();
}
