import { z } from 'zod';
import { parseDuration } from '@app/domain';
import { unreadable } from '../problem/problem.js';
import { defectsOf } from './body.js';

/**
 * The query of a request as the schema reads it; a parameter that is not known is refused, as a misspelled filter would
 * otherwise show everything.
 * @throws Problem 400
 */
export function parseQuery<Shape extends z.ZodObject>(schema: Shape, query: unknown): z.output<Shape> {
  const given = { ...(query as Record<string, string | string[]>) };
  for (const [name, value] of Object.entries(given))
    if ([value].flat().some((text) => text.includes('\u0000')))
      throw unreadable('REQUEST.QUERY', `${name}: must not hold NUL`, [{ path: name, message: 'must not hold NUL' }]);
  const parsed = strictOf(schema).safeParse(given);
  if (!parsed.success) {
    const defects = defectsOf(parsed.error);
    throw unreadable('REQUEST.QUERY', `${defects[0]!.path}: ${defects[0]!.message}`, defects);
  }
  return parsed.data as z.output<Shape>;
}

// A schema is compiled when it is first used, which takes longer than to read with it.
const strict = new WeakMap<z.ZodObject, z.ZodObject>();

function strictOf(schema: z.ZodObject): z.ZodObject {
  let known = strict.get(schema);
  if (!known) strict.set(schema, (known = schema.strict()));
  return known;
}

export const pageQuery = {
  limit: z
    .string()
    .regex(/^\d{1,4}$/, 'must be a whole number from 1 to 1000')
    .transform(Number)
    .refine((n) => n >= 1 && n <= 1000, 'must be a whole number from 1 to 1000')
    .default(50),
  cursor: z.string().optional(),
};

/** One value, several values, or values separated by commas, each one of `allowed`, in upper case. */
export function oneOrMore<const Value extends string>(allowed: readonly Value[]) {
  return z
    .union([z.string(), z.array(z.string())])
    .transform((given) => [given].flat().flatMap((text) => text.split(',')))
    .pipe(z.array(z.enum(allowed, `must be one of ${allowed.join(', ')}`)))
    .optional();
}

export const moment = z.string().transform((text, context) => {
  const at = new Date(text);
  if (/^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(at.getTime())) return at;
  context.addIssue({ code: 'custom', message: 'must be a time in ISO 8601' });
  return z.NEVER;
});

export const durationMillis = z.string().transform((text, context) => {
  const millis = parseDuration(text);
  if (millis !== null) return millis;
  context.addIssue({ code: 'custom', message: 'must be a duration such as "30s"' });
  return z.NEVER;
});

export const eventNumber = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a number of the event log')
  .transform(Number)
  .optional();

export const flag = z
  .enum(['0', '1', 'true', 'false'], 'must be 1 or 0')
  .transform((text) => text === '1' || text === 'true')
  .default(false);
