import type { Request } from 'express';
import { z } from 'zod';
import type { CursorCodec } from './cursor.js';
import { pageQuery, parseQuery } from './query.js';

export type Position = (string | number)[];

export interface PageSource<Row, Filters> {
  /** Up to `limit` rows after the position, in the order of the list. */
  load(args: { position: Position | null; limit: number; filters: Filters }): Promise<readonly Row[]>;
  positionOf(row: Row): Position;
  show?(row: Row): unknown;
}

/**
 * One page of a collection: `{items, nextCursor}`. One row more than asked for is loaded, so that a cursor is given only
 * where there is more.
 */
export async function pageOf<Row, Shape extends z.ZodRawShape>(
  cursors: CursorCodec,
  request: Request,
  shape: Shape,
  source: PageSource<Row, z.output<z.ZodObject<Shape>>>,
): Promise<{ items: unknown[]; nextCursor: string | null }> {
  const query = parseQuery(z.object({ ...pageQuery, ...shape }), request.query) as unknown as z.output<
    z.ZodObject<Shape>
  > & {
    limit: number;
    cursor?: string;
  };
  const position = cursors.position(request, query.cursor);
  const rows = await source.load({ position, limit: query.limit + 1, filters: query });
  const shown = rows.slice(0, query.limit);
  const last = shown.at(-1);
  return {
    items: shown.map((row) => (source.show ? source.show(row) : row)),
    nextCursor: rows.length > shown.length && last ? cursors.next(request, source.positionOf(last)) : null,
  };
}

/** One page of a whole collection whose order is that of a text in its rows, a name or an id. */
export function pageByText<Row>(
  cursors: CursorCodec,
  request: Request,
  load: (args: { after: string | null; limit: number }) => Promise<readonly Row[]>,
  textOf: (row: Row) => string,
  show?: (row: Row) => unknown,
): Promise<{ items: unknown[]; nextCursor: string | null }> {
  return pageOf(
    cursors,
    request,
    {},
    {
      load: ({ position, limit }) => load({ after: position ? String(position[0]) : null, limit }),
      positionOf: (row) => [textOf(row)],
      ...(show && { show }),
    },
  );
}
