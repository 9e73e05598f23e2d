import type { Type } from '../pipeline/type.js';

/** JSON that a handler returns as text: it is kept as it is written, with numbers that JavaScript would round. */
export interface ExactJson<T = unknown> extends Type<T> {
  /** How the executor knows it: class identity does not survive two copies of this package. */
  readonly fanfold: 'json';
  readonly text: string;
}

/**
 * `return exactJson('{"id": 9007199254740993}')`: the output is this very text. What is no JSON is a permanent failure of the
 * attempt, `HANDLER.OUTPUT_INVALID`. What it stands for can be said: `exactJson<{ id: bigint }>(…)`.
 */
export function exactJson<T = unknown>(text: string): ExactJson<T> {
  return { fanfold: 'json', text };
}
