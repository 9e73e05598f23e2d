/** One thing that is wrong with a definition: where, and what, in words for the person who wrote it. */
export interface Defect {
  /** As `nodes[0].config.url`. */
  readonly path: string;
  readonly message: string;
}
