import { z } from 'zod';

/** Every answer that has a name of its own in the document. */
export const answers = z.registry<{ id: string }>();

/** A schema that the document shows once, under its name. */
export function answer<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  answers.add(schema, { id });
  return schema;
}

/** ISO 8601 in UTC, with milliseconds. */
export const moment = z.iso.datetime();
/** A number of things: never more than a JavaScript number holds. */
export const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
/** Any JSON, as it came in. */
export const payload = z.unknown();
export const labels = z.record(z.string(), z.string());
