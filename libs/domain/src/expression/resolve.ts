/** The exact JSON text that a path has in a scope. */
import { cutPath } from '../json/cut.js';
import type { JsonPath } from '../json/json-path.js';
import { encodeString } from '../json/string-text.js';
import { MissingSecret } from './expression-failure.js';
import type { Root, Scope } from './scope.js';

/**
 * @returns undefined when there is nothing at that path
 * @throws MissingSecret
 */
export function resolvePath(scope: Scope, root: Root, path: JsonPath): string | undefined {
  switch (root) {
    case 'input':
      return cutPath(scope.input, path);
    case 'item':
      return scope.item === undefined ? undefined : cutPath(scope.item, path);
    case 'index':
      return scope.index === undefined ? undefined : cutPath(String(scope.index), path);
    case 'frozen':
      return scope.frozen === undefined ? undefined : cutPath(scope.frozen, path);
    case 'items':
      return scope.items === undefined ? undefined : cutPath(scope.items, path);
    case 'labels':
      return cutPath(scope.labels, path);
    case 'execution':
      return cutPath(`{"id":${encodeString(scope.executionId)}}`, path);
    case 'parent':
      return cutPath(`{"id":${scope.parentId === null ? 'null' : encodeString(scope.parentId)}}`, path);
    case 'nodes':
      return resolveNode(scope, path);
    case 'secrets':
      return encodeString(resolveSecret(scope, String(path[0])));
  }
}

function resolveNode(scope: Scope, path: JsonPath): string | undefined {
  const node = typeof path[0] === 'string' ? scope.node?.(path[0]) : undefined;
  if (!node) return undefined;
  const output = node.output ?? 'null';
  if (path[1] === 'output') return cutPath(output, path.slice(2));
  const state = encodeString(node.state.toUpperCase());
  return cutPath(`{"output":${output},"state":${state}}`, path.slice(1));
}

/** @throws MissingSecret */
export function resolveSecret(scope: Scope, name: string): string {
  const value = scope.secret?.(name);
  if (value === undefined) throw new MissingSecret(name);
  return value;
}
