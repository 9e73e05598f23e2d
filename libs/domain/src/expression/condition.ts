import { ExpressionFailure } from './expression-failure.js';
import type { Defect } from './defect.js';
import { compileExpression, evaluateExpression, type Expression } from './expression.js';
import type { References, Root, Scope } from './scope.js';

/** A predicate, compiled: the condition of an edge. */
export interface Condition {
  readonly source: string;
  readonly references: References;
  readonly expression: Expression;
}

export interface ConditionOptions {
  /** Where it stands, as `edges[1].condition`. */
  readonly path: string;
  readonly roots: readonly Root[];
}

export type CompiledCondition =
  { readonly ok: true; readonly condition: Condition } | { readonly ok: false; readonly defects: readonly Defect[] };

/** Compiles a CEL predicate; one that cannot be boolean is refused. Never throws. */
export function compileCondition(text: string, options: ConditionOptions): CompiledCondition {
  const { path, roots } = options;
  const compiled = compileExpression(text, path, { roots, allowSecrets: false });
  if ('defects' in compiled) {
    const defects = compiled.defects.map((d) => ({ path, message: `position ${d.offset + 1}: ${d.message}` }));
    return { ok: false, defects };
  }
  const { expression } = compiled;
  if (expression.kind === 'cel' && expression.type !== 'bool' && expression.type !== 'dyn')
    return { ok: false, defects: [{ path, message: `a condition must be true or false, this is ${expression.type}` }] };
  return { ok: true, condition: { source: text, references: expression.references, expression } };
}

/** @throws ExpressionFailure also when the value is not a boolean */
export function evaluateCondition(condition: Condition, scope: Scope): boolean {
  const text = evaluateExpression(condition.expression, scope);
  if (text === 'true') return true;
  if (text === 'false') return false;
  const { source, path } = condition.expression;
  throw new ExpressionFailure(source, path, 'a condition must be true or false', scope.index);
}
