/**
 * The CEL dialect of Fanfold: the standard library with arithmetic and equality between int and double, mixed lists, no
 * regular expressions (there is no linear-time engine) and limits on the size of an expression.
 */
import { Environment } from '@marcbachmann/cel-js';
import { roots } from './scope.js';

/** Characters of one expression. */
export const maxExpressionLength = 8_192;

/** Of one expression: nodes of its tree, nesting, elements of list and map literals, arguments of a call. */
const limits = { maxAstNodes: 2_000, maxDepth: 100, maxListElements: 500, maxMapEntries: 500, maxCallArguments: 16 };

let shared: Environment | undefined;

export function celEnvironment(): Environment {
  return (shared ??= build());
}

function build(): Environment {
  const environment = new Environment({ homogeneousAggregateLiterals: false, limits });
  for (const root of roots) environment.registerVariable(root, 'dyn');
  const arithmetic: Record<string, (a: number, b: number) => number> = {
    '+': (a, b) => a + b,
    '-': (a, b) => a - b,
    '*': (a, b) => a * b,
    '/': (a, b) => a / b,
  };
  for (const [operator, compute] of Object.entries(arithmetic)) {
    environment.registerOperator(`int ${operator} double`, (a: bigint, b: number) => compute(Number(a), b));
    environment.registerOperator(`double ${operator} int`, (a: number, b: bigint) => compute(a, Number(b)));
  }
  return environment;
}
