/**
 * One expression, compiled: either a path, which is cut from the raw text and never becomes a number of JavaScript's, or
 * CEL. Bounded in size when compiled (cel-environment) and in cost when evaluated (cost).
 */
import type { ParseResult } from '@marcbachmann/cel-js';
import { formatPath, type JsonPath } from '../json/json-path.js';
import { celEnvironment, maxExpressionLength } from './cel-environment.js';
import { everyNode, findDefects, type CelDefect } from './cel-tree.js';
import { fromJson, toJson } from './cel-value.js';
import { CostExceeded, IntegerOverflow, Meter } from './cost.js';
import { ExpressionFailure, MissingSecret } from './expression-failure.js';
import { parsePath } from './path-expression.js';
import { ReferenceCollector, type Surroundings } from './reference.js';
import { resolvePath, resolveSecret } from './resolve.js';
import { isRoot, type References, type Root, type Scope } from './scope.js';

interface Described {
  readonly source: string;
  /** Where it stands in the definition. */
  readonly path: string;
  readonly references: References;
}
export interface PathExpression extends Described {
  readonly kind: 'path';
  readonly root: Root;
  readonly parts: JsonPath;
}
export interface CelExpression extends Described {
  readonly kind: 'cel';
  /** Static type by CEL's checker, `dyn` where it depends on data. */
  readonly type: string;
  readonly program: ParseResult;
  readonly meter: Meter;
}
export type Expression = PathExpression | CelExpression;

export type Compiled = { readonly expression: Expression } | { readonly defects: readonly CelDefect[] };

/** Compiles `source`, which stands at `path` of the definition. Never throws. */
export function compileExpression(source: string, path: string, surroundings: Surroundings): Compiled {
  if (source.length > maxExpressionLength)
    return { defects: [{ offset: 0, message: `an expression may have ${maxExpressionLength} characters` }] };
  const collector = new ReferenceCollector(surroundings);
  const parsed = parsePath(source);
  if (!parsed) return compileCel(source, path, collector);
  const offset = source.search(/\S/);
  if (!isRoot(parsed.root)) return { defects: [{ offset, message: unknownName(parsed.root, surroundings) }] };
  const refusal = collector.use(parsed.root, parsed.path);
  if (refusal !== null) return { defects: [{ offset, message: refusal }] };
  return {
    expression: { kind: 'path', source, path, references: collector.found(), root: parsed.root, parts: parsed.path },
  };
}

function unknownName(name: string, surroundings: Surroundings): string {
  return `unknown name ${name}; in scope here: ${surroundings.roots.join(', ')}`;
}

function compileCel(source: string, path: string, collector: ReferenceCollector): Compiled {
  try {
    const program = celEnvironment().parse(source);
    const defects = findDefects(program.ast, collector);
    if (defects.length > 0) return { defects };
    const check = program.check();
    if (!check.valid) return { defects: [celDefect(check.error)] };
    const meter = new Meter();
    for (const node of everyNode(program.ast)) meter.attach(node);
    const references = collector.found();
    return { expression: { kind: 'cel', source, path, references, type: check.type ?? 'dyn', program, meter } };
  } catch (error) {
    return { defects: [celDefect(error)] };
  }
}

function celDefect(error: unknown): CelDefect {
  if (error instanceof RangeError) return { offset: 0, message: 'the expression is nested too deeply' };
  const { summary, message, range } = error as { summary?: string; message?: string; range?: { start: number } };
  return { offset: range?.start ?? 0, message: summary ?? message ?? 'cannot be read' };
}

/**
 * The exact JSON text of the expression's value in `scope`.
 * @throws ExpressionFailure, MissingSecret
 */
export function evaluateExpression(expression: Expression, scope: Scope): string {
  if (expression.kind === 'path') {
    const text = resolvePath(scope, expression.root, expression.parts);
    if (text === undefined)
      throw failure(expression, scope, `${formatPath([expression.root, ...expression.parts])} is absent`);
    return text;
  }
  return evaluateCel(expression, scope, toJson);
}

/** The value of a CEL expression, seen by `read` within the same error handling. */
function evaluateCel<T>(expression: CelExpression, scope: Scope, read: (value: unknown) => T): T {
  const missing: MissingSecret[] = [];
  try {
    const variables = variablesOf(expression.references.roots, scope, missing);
    const value: unknown = expression.meter.run(() => expression.program(variables) as unknown);
    if (missing.length === 0) return read(value);
  } catch (error) {
    if (missing.length === 0) throw failure(expression, scope, reason(error, expression));
  }
  throw missing[0]!;
}

function variablesOf(used: readonly Root[], scope: Scope, missing: MissingSecret[]): Record<string, unknown> {
  const variables = Object.create(null) as Record<string, unknown>;
  for (const root of used) {
    if (root === 'nodes') variables[root] = new LookUp((id) => resolvePath(scope, root, [id]), fromJson);
    else if (root === 'secrets') variables[root] = new LookUp((name) => secretOrNote(scope, name, missing), String);
    else {
      const text = resolvePath(scope, root, []);
      if (text !== undefined) variables[root] = fromJson(text);
    }
  }
  return variables;
}

function secretOrNote(scope: Scope, name: string, missing: MissingSecret[]): string | undefined {
  try {
    return resolveSecret(scope, name);
  } catch (error) {
    if (error instanceof MissingSecret) missing.push(error);
    throw error;
  }
}

/** A map whose members are asked for by name; it cannot be listed, and compilation has seen to it that nobody tries. */
class LookUp extends Map<string, unknown> {
  constructor(
    private readonly find: (name: string) => string | undefined,
    private readonly convert: (text: string) => unknown,
  ) {
    super();
  }

  override get(name: string): unknown {
    const text = this.find(name);
    return text === undefined ? undefined : this.convert(text);
  }
}
Object.defineProperty(LookUp.prototype, 'constructor', { value: Map });

function reason(error: unknown, expression: CelExpression): string {
  if (error instanceof CostExceeded || error instanceof IntegerOverflow) return error.message;
  const { summary, message, code } = error as { summary?: string; message?: string; code?: string };
  if (expression.references.secrets.length > 0) return `evaluation failed (${code ?? 'no value'})`;
  return (summary ?? message ?? 'evaluation failed').slice(0, 500);
}

function failure(expression: Expression, scope: Scope, message: string): ExpressionFailure {
  const where = scope.index === undefined ? '' : ` (item ${scope.index})`;
  return new ExpressionFailure(expression.source, expression.path, `${message}${where}`, scope.index);
}
