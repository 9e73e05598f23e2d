import { z } from 'zod';

export const resourceName = /^[a-z0-9][a-z0-9._-]{0,127}$/;

/** Null when the text may be a key, label or dataset name, else what is wrong with it. */
export function labelDefect(text: string): string | null {
  if (/\p{Cc}/u.test(text)) return 'must not hold control characters';
  if (/[\ud800-\udfff]/u.test(text)) return 'must be well-formed Unicode';
  const bytes = Buffer.byteLength(text);
  return bytes > 255 ? `must be at most 255 bytes of UTF-8, and is ${bytes}` : null;
}

/** A name, key or label: up to 255 bytes of UTF-8 without control characters. */
export const labelText = z.string().superRefine((text, context) => {
  const defect = labelDefect(text);
  if (defect) context.addIssue({ code: 'custom', message: defect });
});
