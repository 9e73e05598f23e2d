/** The rules for names (api.md, "General rules"). */
export interface NameRule {
  readonly pattern: RegExp;
  /** Completes "must be …". */
  readonly wording: string;
}

/** Pipelines, destinations, queues. */
export const nameRule: NameRule = {
  pattern: /^[a-z0-9][a-z0-9._-]{0,127}$/,
  wording: 'a name of up to 128 characters from a-z, 0-9, ".", "_" and "-" that starts with a letter or digit',
};

/** Handlers, signals. */
export const keyRule: NameRule = {
  pattern: /^[^\p{Cc}\p{Cs}]{1,255}$/u,
  wording: 'a well-formed text of 1 to 255 characters without control characters',
};

const nodeId = /^(?!__)[A-Za-z_][A-Za-z0-9_]{0,62}$/;
const reserved = new Set(
  (
    'true false null in as break const continue else for function if import let loop package namespace return var void ' +
    'while prototype'
  ).split(' '),
);

/** Why `id` cannot be the id of a node, or null. */
export function nodeIdRefusal(id: string): string | null {
  if (reserved.has(id)) return `${id} is a reserved word of CEL and cannot be the id of a node`;
  if (nodeId.test(id)) return null;
  return 'the id of a node has up to 63 letters, digits and underscores, and starts with a letter or one underscore';
}
