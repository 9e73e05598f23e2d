/** One page of a collection. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/** All items of a collection, page by page, as they are asked for. */
export async function* itemsOf<Item>(load: (cursor?: string) => Promise<Page<Item>>): AsyncGenerator<Item, void> {
  for (let cursor: string | undefined; ;) {
    const page = await load(cursor);
    yield* page.items;
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
}
