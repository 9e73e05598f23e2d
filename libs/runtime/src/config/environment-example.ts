import { z } from 'zod';
import { processKinds, type ProcessKind } from './process-kind.js';
import type { VariableMeta } from './variable.js';

const header = `# Every variable the services read. An empty one is unset, unknown ones are ignored, and each may be given as NAME_FILE.
# All are checked at start: every problem is listed at once, and the exit code is 78.
`;

/** The text of `.env.example`: each variable with what it means, who reads it, and its default as a comment. */
export const environmentExample = (): string => {
  const kinds = Object.keys(processKinds) as ProcessKind[];
  const names = [...new Set(kinds.flatMap((kind) => Object.keys(processKinds[kind].variables)))];
  const entries = names.map((name) => {
    const readers = kinds.filter((kind) => name in processKinds[kind].variables);
    const schemas = readers.map((kind) => (processKinds[kind].variables as Record<string, z.ZodType>)[name]!);
    const meta = schemas.map((schema) => metaOf(schema)).find((found) => found !== undefined);
    const scope = readers.length === kinds.length ? '' : ` (${readers.join(', ')})`;
    const value = defaultOf(schemas[0]!);
    const fallback = meta?.fallback ? `# Default: ${meta.fallback}.\n` : '';
    return `\n# ${meta?.description ?? ''}${scope}\n${fallback}#${name}=${meta?.fallback ? '' : value}\n`;
  });
  return header + entries.join('');
};

const metaOf = (schema: z.ZodType): VariableMeta | undefined => {
  const meta = schema.meta() as Partial<VariableMeta> | undefined;
  if (meta?.description) return meta as VariableMeta;
  return schema instanceof z.ZodOptional ? metaOf(schema.unwrap() as z.ZodType) : undefined;
};

const defaultOf = (schema: z.ZodType): string =>
  schema instanceof z.ZodPrefault ? String(schema.def.defaultValue) : '';
