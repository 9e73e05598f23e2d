import type { Problem } from './openapi.generated.js';

/** The engine answered, and said no: a problem document. */
export class EngineRefused extends Error {
  override readonly name = 'EngineRefused';
  /** `AREA.REASON`, for instance `PIPELINE.INVALID` */
  readonly code: string;
  /** Every defect of the request, with where it is. */
  readonly errors: readonly { readonly path: string; readonly message: string }[];

  constructor(
    /** HTTP status of the answer. */
    readonly status: number,
    readonly problem: Partial<Problem>,
    request: string,
  ) {
    const errors = problem.errors ?? [];
    const told = errors.slice(0, 10).map(({ path, message }) => `\n  ${path}: ${message}`);
    const why = problem.detail ?? problem.title ?? 'refused';
    super(`${why} (${request} → ${status} ${problem.code ?? 'UNKNOWN'})${told.join('')}`);
    this.code = problem.code ?? 'UNKNOWN';
    this.errors = errors;
  }
}

/** Nobody answered at the engine's address, or the connection broke, as often as it was tried. */
export class EngineAway extends Error {
  override readonly name = 'EngineAway';
}
