/** Walking the syntax tree of a CEL expression: what it refers to, and what we refuse in it. */
import type { ParseResult } from '@marcbachmann/cel-js';
import type { ReferenceCollector } from './reference.js';
import { isRoot } from './scope.js';

export type CelNode = ParseResult['ast'];

export interface CelDefect {
  /** 0-based offset in the expression. */
  readonly offset: number;
  readonly message: string;
}

/** Methods whose first argument names a variable for the arguments after it. */
const binders = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);

const refusedCalls: Record<string, string | undefined> = {
  matches: 'matches() is not available: no regular expression engine here is safe from hostile input',
  json: 'json() is not available: payloads are read by path',
};

type Bound = ReadonlySet<string>;

/** Every node that the author wrote, each once. */
export function everyNode(node: CelNode): CelNode[] {
  const found: CelNode[] = [];
  const open = [node];
  for (let next = open.pop(); next; next = open.pop()) {
    found.push(next);
    open.push(...childrenOf(next));
  }
  return found;
}

/** Notes all references in `references`; returns what is refused. */
export function findDefects(node: CelNode, references: ReferenceCollector): CelDefect[] {
  const defects: CelDefect[] = [];
  walk(node, new Set());
  return defects;

  function walk(at: CelNode, bound: Bound): void {
    const path = staticPath(at);
    if (path && !bound.has(path.root)) {
      const refusal = isRoot(path.root) ? references.use(path.root, path.path) : null;
      if (refusal !== null) defects.push({ offset: at.start, message: refusal });
      return;
    }
    if (at.op === 'call' || at.op === 'rcall') {
      const refusal = Object.hasOwn(refusedCalls, at.args[0]) ? refusedCalls[at.args[0]] : undefined;
      if (refusal) defects.push({ offset: at.start, message: refusal });
    }
    if (at.op === 'map') {
      for (const [key] of at.args)
        if (key.op === 'value' && ['__proto__', 'constructor', 'prototype'].includes(String(key.args)))
          defects.push({ offset: key.start, message: `a map literal cannot have the key ${String(key.args)}` });
    }
    if (at.op === 'rcall') walkMethod(at.args, bound);
    else for (const child of childrenOf(at)) walk(child, bound);
  }

  function walkMethod([method, receiver, args]: readonly [string, CelNode, CelNode[]], bound: Bound): void {
    const [variable, ...others] = args;
    const isBind = method === 'bind' && receiver.op === 'id' && receiver.args === 'cel';
    if (variable?.op === 'id' && (binders.has(method) || isBind)) {
      const inner = new Set(bound).add(variable.args);
      walk(receiver, bound);
      others.forEach((other, i) => walk(other, isBind && i === 0 ? bound : inner));
      return;
    }
    walk(receiver, bound);
    for (const arg of args) walk(arg, bound);
  }
}

/** The longest path that is known without evaluating, or null. */
function staticPath(node: CelNode): { root: string; path: (string | number)[] } | null {
  if (node.op === 'id') return { root: node.args, path: [] };
  if (node.op !== '.' && node.op !== '[]') return null;
  const left = staticPath(node.args[0]);
  if (!left) return null;
  if (node.op === '.') left.path.push(node.args[1]);
  else {
    const index = node.args[1];
    if (index.op !== 'value' || (typeof index.args !== 'string' && typeof index.args !== 'bigint')) return null;
    left.path.push(typeof index.args === 'bigint' ? Number(index.args) : index.args);
  }
  return left;
}

function childrenOf(node: CelNode): readonly CelNode[] {
  switch (node.op) {
    case 'value':
    case 'id':
      return [];
    case '.':
    case '.?':
      return [node.args[0]];
    case '!_':
    case '-_':
      return [node.args];
    case 'call':
      return node.args[1];
    case 'rcall':
      return [node.args[1], ...node.args[2]];
    case 'map':
      return node.args.flat();
    default:
      return (node.args as unknown[]).filter((arg): arg is CelNode => typeof arg === 'object' && arg !== null);
  }
}
