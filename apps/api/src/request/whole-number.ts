import { z } from 'zod';

/** The largest that the database's counters hold. */
export const mostInteger = 2 ** 31 - 1;

/** An integer within bounds, which every refusal of it names. */
export function wholeNumber(from: number, to = mostInteger) {
  const wording = `must be a whole number from ${from} to ${to}`;
  return z.int(wording).min(from, wording).max(to, wording);
}
