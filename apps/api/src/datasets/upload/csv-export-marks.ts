/**
 * How an export of failed items is made safe to open in a spreadsheet, and how an upload undoes it. A text cell that a
 * spreadsheet would take for a formula gets an apostrophe in front, and so does one that starts with an apostrophe, so
 * that taking one apostrophe away always gives the original. An export is known by its last columns; in any other file
 * every cell stays the text it is.
 */
export const errorColumns = ['fanfold_error_class', 'fanfold_error_code', 'fanfold_error_message'] as const;

const formula = /^[=+\-@\t\r']/;
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The cell as an export writes it. Genuine numbers stay numbers. */
export function neutralCell(cell: string): string {
  return formula.test(cell) && !number.test(cell) ? `'${cell}` : cell;
}

/** The original of an exported cell. */
export function restoreCell(cell: string): string {
  return cell.startsWith("'") ? cell.slice(1) : cell;
}

export function isExportHeader(names: readonly string[]): boolean {
  return (
    names.length > errorColumns.length && errorColumns.every((name, i) => names.at(i - errorColumns.length) === name)
  );
}

export function withoutErrorColumns(names: readonly string[]): string[] {
  return names.slice(0, -errorColumns.length);
}

/** A cell as RFC 4180 writes it: quoted where it must be, and where it is empty. */
export function csvCell(cell: string, separator: string): string {
  const plain = cell !== '' && !cell.includes(separator) && !/["\r\n]/.test(cell);
  return plain ? cell : `"${cell.replaceAll('"', '""')}"`;
}
