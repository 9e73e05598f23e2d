import { z } from 'zod';

/** What a `task.ready` message looks like; anything else is poison. */
export const handoutSchema = z.object({
  handout: z.number().int().positive(),
  queue: z.string(),
  root: z.uuid(),
  parent: z.uuid().nullable(),
  fanOut: z.number().int().nullable(),
  version: z.number().int().positive(),
  path: z.array(z.number().int().nonnegative()).max(32),
  node: z.number().int().nonnegative(),
  size: z.number().int().positive(),
  range: z.boolean(),
  suspect: z.boolean(),
  destinations: z.array(z.string()),
});
