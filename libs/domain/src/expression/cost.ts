/**
 * The cost limit of an evaluation. CEL cannot loop for ever, but nested comprehensions over a large payload can run for
 * hours and repeated concatenation can fill the memory. So every node of the tree pays when it has been evaluated: one,
 * plus a share of the size of its result.
 *
 * The engine keeps the function that evaluates a node in the node's property `evaluate` and replaces it at the first
 * evaluation; the meter lies around whatever is kept there.
 */
import { isInt64 } from './cel-value.js';
import type { CelNode } from './cel-tree.js';

/** What one evaluation may cost: about a second of one core at the very worst. */
export const maxCost = 1_000_000;

type Evaluate = (this: unknown, evaluator: unknown, node: unknown, context: unknown) => unknown;

export class CostExceeded extends Error {}
export class IntegerOverflow extends Error {}

export class Meter {
  private spent = 0;
  /** One for all: quantifiers catch it once per element, and a stack trace each would cost more than the evaluation. */
  private readonly exceeded = new CostExceeded('the expression costs too much on this data');

  /** Puts the meter around a node. */
  attach(node: CelNode): void {
    const pay = (value: unknown): unknown => this.pay(value);
    const checksRange = node.op !== 'value';
    let inner = (node as unknown as { evaluate: Evaluate }).evaluate;
    const metered: Evaluate = function (evaluator, self, context) {
      const value = pay(inner.call(this, evaluator, self, context));
      if (checksRange && typeof value === 'bigint' && !isInt64(value)) throw new IntegerOverflow('integer overflow');
      return value;
    };
    Object.defineProperty(node, 'evaluate', {
      get: () => metered,
      set: (next: Evaluate) => {
        inner = next;
      },
    });
  }

  /** Runs one evaluation within the limit. @throws CostExceeded, also where the engine has caught one on the way */
  run<T>(evaluation: () => T): T {
    this.spent = 0;
    const value = evaluation();
    if (this.spent > maxCost) throw this.exceeded;
    return value;
  }

  private pay(value: unknown): unknown {
    this.spent += 1;
    if (typeof value === 'string') this.spent += value.length >>> 6;
    else if (Array.isArray(value)) this.spent += value.length >>> 3;
    if (this.spent > maxCost) throw this.exceeded;
    return value;
  }
}
