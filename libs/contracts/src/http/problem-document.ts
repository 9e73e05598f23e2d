/** Every refusal of the api (RFC 9457), as `application/problem+json`. */
export interface ProblemDocument {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  /** `AREA.REASON` */
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly { readonly path: string; readonly message: string }[];
  /** Further facts of that code, for instance `state`, `id` or `limitBytes`. */
  readonly [fact: string]: unknown;
}
