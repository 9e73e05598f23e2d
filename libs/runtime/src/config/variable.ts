import { z } from 'zod';
import { logLevels } from '../logging/pino-logger.js';

/** What the schema of a variable tells a reader of the generated example. */
export interface VariableMeta {
  readonly description: string;
  /** Stands for the default where that depends on the process or on other variables. */
  readonly fallback?: string;
}

export const text = () => z.string();

export const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(least, `must be at least ${least}`).max(most, `must be at most ${most}`));

export const truth = () =>
  z.enum(['true', 'false', '1', '0'], 'must be true or false').transform((value) => value === 'true' || value === '1');

export const list = (element: RegExp, expected: string) =>
  z
    .string()
    .transform((value) => value.split(',').map((part) => part.trim()))
    .transform((parts) => parts.filter((part) => part !== ''))
    .refine((parts) => parts.length > 0, 'must name at least one')
    .refine((parts) => parts.every((part) => element.test(part)), `must be a comma-separated list of ${expected}`);

export const address = (...schemes: readonly string[]) =>
  z.string().refine(
    (value) => {
      const url = URL.canParse(value) ? new URL(value) : undefined;
      return url !== undefined && schemes.includes(url.protocol.slice(0, -1));
    },
    `must be a URL that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
  );

export const logLevel = () => z.enum(logLevels, `must be one of ${logLevels.join(', ')}`);
