/** What one task costs at a destination with a rate (api.md, `cost`). */
import { ExpressionFailure } from '../expression/expression-failure.js';
import type { Scope } from '../expression/scope.js';
import { evaluateTemplate, type Template } from '../expression/template.js';
import { jsonKind } from '../json/cut.js';
import { decodeString } from '../json/string-text.js';

/**
 * A number of at least 0. Cells of a CSV are text, so text that is a number counts as one.
 * @throws ExpressionFailure where it is anything else
 */
export function costOf(cost: Template, destination: string, scope: Scope): number {
  const text = evaluateTemplate(cost, scope);
  const value = numberOf(text);
  if (value !== null && value >= 0) return value;
  const shown = text.length > 100 ? `${text.slice(0, 100)}…` : text;
  throw new ExpressionFailure(
    cost.source,
    `destinations.${destination}.cost`,
    `the cost of a call must be a number of at least 0, is ${shown}`,
    scope.index,
  );
}

function numberOf(text: string): number | null {
  const kind = jsonKind(text);
  const written = kind === 'string' ? decodeString(text).trim() : kind === 'number' ? text : '';
  const value = written === '' ? NaN : Number(written);
  return Number.isFinite(value) ? value : null;
}
