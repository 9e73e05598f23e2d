/** What the parser of a node knows about where the node stands. */
import type { References, Root } from '../expression/scope.js';
import type { Plan } from './plan.js';
import type { Report } from './report.js';

export interface Place {
  readonly report: Report;
  /** Names in scope of its templates. */
  readonly roots: readonly Root[];
  /** The pipeline's own name, for spawn recursion; null when it is not known. */
  readonly pipeline: string | null;
  /** Id of the node that is read: what is inline in it takes it over. Null where it has none or a bad one. */
  readonly nodeId: string | null;
  /** Inline nodes around this one. */
  readonly nesting: number;
  /** Told of each template and what it refers to. */
  readonly note: (references: References, path: string) => void;
  /** Parses an inline node into the one-node plan of its child. */
  readonly inline: (text: string, path: string, place: Place, roots?: readonly Root[]) => Plan | null;
}

/** Nodes of a pipeline: any pipeline may be spawned, so `item` and `index` are in scope too. */
export const pipelineRoots: readonly Root[] = ['input', 'item', 'index', 'nodes', 'execution', 'parent', 'labels'];

/** An inline node is alone in its execution. */
export const inlineRoots: readonly Root[] = ['input', 'item', 'index', 'execution', 'parent', 'labels'];

/** A look-up sees a batch of items, before any of their children is there. */
export const freezeRoots: readonly Root[] = ['input', 'items', 'execution', 'parent', 'labels'];

/** Nesting of inline nodes (api.md: "Nesting is at most 16 deep"). */
export const maxNesting = 16;
