/** Which static paths an expression may use where it stands. */
import type { JsonPath } from '../json/json-path.js';
import type { References, Root } from './scope.js';

/** What is allowed at the place of an expression. */
export interface Surroundings {
  /** Names in scope, `secrets` aside. */
  readonly roots: readonly Root[];
  readonly allowSecrets: boolean;
}

/** Collects what an expression refers to while it is compiled. */
export class ReferenceCollector {
  private readonly roots = new Set<Root>();
  private readonly nodes = new Set<string>();
  private readonly secrets = new Set<string>();

  constructor(private readonly surroundings: Surroundings) {}

  /**
   * Notes the use of `root` with the static part of what follows it.
   * @returns why that is refused, or null
   */
  use(root: Root, path: JsonPath): string | null {
    const refusal = this.refusal(root, path);
    if (refusal !== null) return refusal;
    this.roots.add(root);
    if (root === 'nodes') this.nodes.add(path[0] as string);
    if (root === 'secrets') this.secrets.add(path[0] as string);
    return null;
  }

  found(): References {
    return { roots: [...this.roots], nodes: [...this.nodes], secrets: [...this.secrets] };
  }

  private refusal(root: Root, path: JsonPath): string | null {
    if (root === 'secrets') return this.secretRefusal(path);
    if (!this.surroundings.roots.includes(root)) return `${root} is not in scope here`;
    if (root === 'nodes') return nodeRefusal(path);
    if ((root === 'execution' || root === 'parent') && path.length > 0 && (path[0] !== 'id' || path.length > 1))
      return `${root} has only the field id`;
    return null;
  }

  private secretRefusal(path: JsonPath): string | null {
    if (!this.surroundings.allowSecrets)
      return 'secrets may be used only in url, headers and body of HTTP and in env of SHELL and SCRIPT';
    if (path.length !== 1 || typeof path[0] !== 'string')
      return 'secrets needs the name of one secret, as secrets.NAME';
    return null;
  }
}

function nodeRefusal(path: JsonPath): string | null {
  if (typeof path[0] !== 'string') return 'nodes needs the id of a node, as nodes.join.output';
  if (path.length > 1 && path[1] !== 'output' && path[1] !== 'state')
    return 'a node has only the fields output and state';
  if (path[1] === 'state' && path.length > 2) return 'the state of a node is a string';
  return null;
}
