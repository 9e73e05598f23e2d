import type { Statement } from '../database/database.js';

/** A statement inside a function that has `by` parameters before those of the statement. */
export const behind = (by: number, { text }: Statement): string =>
  text.replace(/\$(\d+)/g, (_, n: string) => `$${Number(n) + by}`);
