import { refused, type Problem } from '../../problem/problem.js';

/** Items as they are found: the exact JSON text of each, in order. */
export type ItemSink = (itemText: string) => void;

/** Cuts the text of an upload into items, piece by piece. Pieces end anywhere. */
export interface ItemReader {
  /** Reads as far as it can; keeps the rest for the next piece. */
  push(text: string): void;
  /** The text has ended. */
  end(): void;
  /** Where the reader stands, for telling where the bytes after it cannot be decoded. */
  position(): { readonly row: number; readonly column: number };
  /** Column names, for formats that have them. */
  readonly columns: readonly string[] | null;
}

export const maxItemBytes = 256 * 1024;

/** A defect of an upload, with the place people find it at: rows from 1, the header of a CSV being row 1. */
export function uploadDefect(code: string, row: number, column: number | null, message: string): Problem {
  const path = column === null ? `row ${row}` : `row ${row}, column ${column}`;
  return refused([{ path, message }], `DATASET.${code}`, `${path}: ${message}`);
}

/** Refuses an item that is larger than one item may be. */
export function checkItemSize(itemText: string, row: number): void {
  if (itemText.length * 3 <= maxItemBytes) return;
  const bytes = Buffer.byteLength(itemText);
  if (bytes > maxItemBytes)
    throw uploadDefect('ITEM_TOO_LARGE', row, null, `the item has ${bytes} bytes; ${maxItemBytes} are allowed`);
}
