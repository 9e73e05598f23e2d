import { tableOf, type Column } from './table.js';

/** Data goes to standard output: as a table for people, as JSON for programs. */
export interface PrintOptions {
  readonly json?: boolean;
}

/** One JSON value, or one table. */
export function printRows<T>(rows: readonly T[], columns: readonly Column<T>[], { json }: PrintOptions): void {
  if (json) process.stdout.write(`${JSON.stringify(rows)}\n`);
  else process.stdout.write(rows.length === 0 ? 'none\n' : tableOf(rows, columns));
}

/** One thing: its fields below each other, or as JSON. */
export function printOne(value: object, { json }: PrintOptions): void {
  if (json) return void process.stdout.write(`${JSON.stringify(value)}\n`);
  const fields = Object.entries(value).filter(([, field]) => field !== null && field !== undefined);
  const width = Math.max(...fields.map(([name]) => name.length));
  for (const [name, field] of fields) {
    const text = typeof field === 'object' ? JSON.stringify(field) : String(field);
    process.stdout.write(`${name.padEnd(width)}  ${text}\n`);
  }
}

/** The first `limit` items of a collection; says so where there are more. */
export async function firstOf<T>(items: AsyncIterable<T>, limit: number): Promise<T[]> {
  const first: T[] = [];
  if (limit < 1) return first;
  for await (const item of items) {
    if (first.length === limit) {
      process.stderr.write(`fanfold: the first ${limit}; --limit shows more\n`);
      break;
    }
    first.push(item);
  }
  return first;
}
