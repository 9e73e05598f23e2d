/** Placeholder types until the implementation lands. */
export interface Template {
  readonly source: string;
}
