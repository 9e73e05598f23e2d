/** What an expression can see (api.md, "In scope"). Payloads are exact JSON text. */
export interface Scope {
  readonly input: string;
  readonly item?: string;
  /** Position of the item, 0-based. */
  readonly index?: number;
  /** What was looked up for the item before its child was spawned: exact JSON text. */
  readonly frozen?: string;
  /** Only in such a look-up: JSON text of a list of `{index, item}`. */
  readonly items?: string;
  /** A node of the same execution; state in either case. A node without output reads as null. */
  readonly node?: (id: string) => { readonly output: string | null; readonly state: string } | undefined;
  readonly executionId: string;
  readonly parentId: string | null;
  /** JSON text of an object. */
  readonly labels: string;
  /** Only at the executor; undefined or a thrown MissingSecret where there is no such secret. */
  readonly secret?: (name: string) => string | undefined;
}

export const roots = [
  'input',
  'item',
  'index',
  'frozen',
  'items',
  'nodes',
  'execution',
  'parent',
  'labels',
  'secrets',
] as const;
/** A name that an expression may start from. */
export type Root = (typeof roots)[number];

export function isRoot(name: string): name is Root {
  return (roots as readonly string[]).includes(name);
}

/** What an expression or template refers to; known when it is compiled. */
export interface References {
  readonly roots: readonly Root[];
  readonly nodes: readonly string[];
  readonly secrets: readonly string[];
}

export const noReferences: References = { roots: [], nodes: [], secrets: [] };

/** The references of all, each name once. */
export function mergeReferences(all: readonly References[]): References {
  if (all.length === 0) return noReferences;
  if (all.length === 1) return all[0]!;
  return {
    roots: [...new Set(all.flatMap((r) => r.roots))],
    nodes: [...new Set(all.flatMap((r) => r.nodes))],
    secrets: [...new Set(all.flatMap((r) => r.secrets))],
  };
}
