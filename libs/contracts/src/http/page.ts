/** Every collection of the api. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Null on the last page. A page may be shorter than asked for and still have a next one. */
  readonly nextCursor: string | null;
}
