/**
 * Templates: JSON values in which strings may hold `${…}`. What is literal keeps its exact text, a string that is only
 * one expression takes the value's type, and object keys are never templates.
 */
import { sliceElements, sliceMembers } from '../json/slice.js';
import { jsonKind } from '../json/cut.js';
import { formatPath } from '../json/json-path.js';
import { squeeze } from '../json/squeeze.js';
import { decodeString, encodeString } from '../json/string-text.js';
import type { Defect } from './defect.js';
import { compileExpression, evaluateExpression, type Expression } from './expression.js';
import type { Surroundings } from './reference.js';
import { mergeReferences, type References, type Root, type Scope } from './scope.js';
import { splitTemplate } from './template-text.js';

export interface Template {
  /** Exact JSON text of the template itself. */
  readonly source: string;
  readonly isConstant: boolean;
  /** The value's exact JSON text where no expression decides it, else null. */
  readonly constantText: string | null;
  readonly references: References;
  /** For a string: what stands before the first `${`, the whole of a constant one. Null for other values. */
  readonly literalPrefix: string | null;
  readonly tree: TemplateTree;
}

export type TemplateTree =
  | { readonly kind: 'constant'; readonly text: string }
  | { readonly kind: 'value'; readonly expression: Expression }
  | { readonly kind: 'text'; readonly parts: readonly (string | Expression)[] }
  | { readonly kind: 'array'; readonly elements: readonly TemplateTree[] }
  | { readonly kind: 'object'; readonly members: readonly (readonly [name: string, value: TemplateTree])[] };

export interface TemplateOptions {
  /** Where it stands in the definition, as `nodes[0].config.url`. */
  readonly path: string;
  readonly allowSecrets: boolean;
  /** Names in scope, `secrets` aside. */
  readonly roots: readonly Root[];
}

export type CompiledTemplate =
  { readonly ok: true; readonly template: Template } | { readonly ok: false; readonly defects: readonly Defect[] };

/**
 * Compiles the exact JSON text of a template, which must have passed `checkJson`. All defects are told at once, each with
 * its path and the position (from 1) in the string. Never throws.
 */
export function compileTemplate(valueText: string, options: TemplateOptions): CompiledTemplate {
  const compiler = new TemplateCompiler(options);
  const source = valueText.trim();
  const tree = compiler.compile(source, options.path);
  if (compiler.defects.length > 0) return { ok: false, defects: compiler.defects };
  const constantText = tree.kind === 'constant' ? tree.text : null;
  const references = mergeReferences(compiler.references);
  const literalPrefix = prefixOf(tree);
  return {
    ok: true,
    template: { source, isConstant: constantText !== null, constantText, references, literalPrefix, tree },
  };
}

/** A template whose value is this text, expressions in it left alone: for places where templates are not evaluated. */
export function literalTemplate(valueText: string): Template {
  const text = valueText.trim();
  const tree: TemplateTree = { kind: 'constant', text };
  const references = mergeReferences([]);
  return { source: text, isConstant: true, constantText: text, references, literalPrefix: prefixOf(tree), tree };
}

class TemplateCompiler {
  readonly defects: Defect[] = [];
  readonly references: References[] = [];

  constructor(private readonly surroundings: Surroundings) {}

  compile(text: string, path: string): TemplateTree {
    if (!text.includes('${') && !text.includes('\\u')) return { kind: 'constant', text };
    switch (jsonKind(text)) {
      case 'string':
        return this.compileString(text, path);
      case 'array':
        return this.compileArray(text, path);
      case 'object':
        return this.compileObject(text, path);
      default:
        return { kind: 'constant', text };
    }
  }

  private compileArray(text: string, path: string): TemplateTree {
    const sources = [...sliceElements(text)];
    const elements = sources.map((source, i) => this.compile(source, `${path}[${i}]`));
    if (elements.every((element, i) => isSame(element, sources[i]!))) return { kind: 'constant', text };
    return folded({ kind: 'array', elements });
  }

  private compileObject(text: string, path: string): TemplateTree {
    const sources = sliceMembers(text);
    const members = sources.map(([name, source]) => [name, this.compile(source, path + step(path, name))] as const);
    if (members.every(([, value], i) => isSame(value, sources[i]![1]))) return { kind: 'constant', text };
    return folded({ kind: 'object', members });
  }

  private compileString(text: string, path: string): TemplateTree {
    const value = decodeString(text);
    const split = splitTemplate(value);
    if (typeof split === 'number') {
      this.defects.push({
        path,
        message: `position ${split + 1}: "\${" is never closed; write "$\${" for the two characters`,
      });
      return { kind: 'constant', text };
    }
    const parts = split.map((part) =>
      part.kind === 'literal' ? part.text : this.compilePart(part.text, part.offset, path),
    );
    const [first] = parts;
    if (parts.length === 1 && typeof first === 'object') return { kind: 'value', expression: first };
    if (parts.some((part) => typeof part === 'object')) return { kind: 'text', parts };
    const literal = parts.filter((part) => typeof part === 'string').join('');
    return { kind: 'constant', text: literal === value ? text : encodeString(literal) };
  }

  /** The expression, or an empty literal in its place when it has a defect. */
  private compilePart(source: string, offset: number, path: string): Expression | string {
    const compiled = compileExpression(source, path, this.surroundings);
    if ('expression' in compiled) {
      this.references.push(compiled.expression.references);
      return compiled.expression;
    }
    for (const defect of compiled.defects)
      this.defects.push({ path, message: `position ${offset + defect.offset + 1}: ${defect.message}` });
    return '';
  }
}

function step(path: string, name: string): string {
  const text = formatPath([name]);
  return path === '' || text.startsWith('[') ? text : `.${text}`;
}

function isSame(tree: TemplateTree, source: string): boolean {
  return tree.kind === 'constant' && tree.text === source;
}

/** A container in which nothing is left to evaluate becomes its text. */
function folded(tree: TemplateTree & { kind: 'array' | 'object' }): TemplateTree {
  const children = tree.kind === 'array' ? tree.elements : tree.members.map(([, value]) => value);
  if (children.some((child) => child.kind !== 'constant')) return tree;
  return { kind: 'constant', text: assemble(tree, (child) => (child.kind === 'constant' ? child.text : '')) };
}

function prefixOf(tree: TemplateTree): string | null {
  if (tree.kind === 'constant') return jsonKind(tree.text) === 'string' ? decodeString(tree.text) : null;
  if (tree.kind === 'value') return '';
  if (tree.kind !== 'text') return null;
  const [first] = tree.parts;
  return typeof first === 'string' ? first : '';
}

/**
 * The exact JSON text of the template's value in `scope`.
 * @throws ExpressionFailure, MissingSecret
 */
export function evaluateTemplate(template: Template, scope: Scope): string {
  return evaluateTree(template.tree, scope);
}

/**
 * The template's value as text, for URLs, header values, environment variables and arguments: strings as they are,
 * everything else as its JSON text.
 * @throws ExpressionFailure, MissingSecret
 */
export function evaluateToText(template: Template, scope: Scope): string {
  return asText(evaluateTree(template.tree, scope));
}

function evaluateTree(tree: TemplateTree, scope: Scope): string {
  switch (tree.kind) {
    case 'constant':
      return tree.text;
    case 'value':
      return evaluateExpression(tree.expression, scope);
    case 'text':
      return encodeString(tree.parts.map((part) => (typeof part === 'string' ? part : embedded(part, scope))).join(''));
    default:
      return assemble(tree, (child) => evaluateTree(child, scope));
  }
}

function embedded(expression: Expression, scope: Scope): string {
  return asText(evaluateExpression(expression, scope));
}

function asText(json: string): string {
  return jsonKind(json) === 'string' ? decodeString(json) : squeeze(json);
}

function assemble(tree: TemplateTree & { kind: 'array' | 'object' }, textOf: (child: TemplateTree) => string): string {
  if (tree.kind === 'array') return `[${tree.elements.map(textOf).join(',')}]`;
  return `{${tree.members.map(([name, value]) => `${encodeString(name)}:${textOf(value)}`).join(',')}}`;
}
