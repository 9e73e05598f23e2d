import { plainText } from './plain-text.js';

/** A column of a table: its head, and the cell of a row. */
export type Column<T> = readonly [head: string, cell: (row: T) => unknown];

/**
 * Rows in columns, two spaces apart. Numbers stand to the right. Nothing of a cell can move the cursor or break the line.
 */
export function tableOf<T>(rows: readonly T[], columns: readonly Column<T>[]): string {
  const cells = rows.map((row) => columns.map(([, cell]) => cell(row)));
  const isNumber = columns.map((_, i) => rows.length > 0 && cells.every((row) => typeof row[i] === 'number'));
  const lines = [columns.map(([head]) => head), ...cells.map((row) => row.map(textOf))];
  const widths = columns.map((_, i) => Math.max(...lines.map((line) => line[i]!.length)));
  return lines
    .map((line) =>
      line
        .map((text, i) => (isNumber[i] ? text.padStart(widths[i]!) : text.padEnd(widths[i]!)))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
  return plainText(text);
}
