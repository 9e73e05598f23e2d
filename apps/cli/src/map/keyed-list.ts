/**
 * Lists whose rows are told by a key, so that a list may change between two runs: what has succeeded under its key is not run again, and
 * what it gave stands where its row stands now.
 */
import { createReadStream, createWriteStream, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { UsageError } from '../usage-error.js';
import type { MapOptions } from './map-options.js';
import { textLines } from './text-lines.js';

/** A row as it stands in the file; without a key, its head. */
interface KeyedRow {
  readonly key: string | null;
  readonly raw: string;
}

type Format = MapOptions['format'];

/** The keys of a list, in the order of its rows. @throws UsageError where it cannot be read */
export async function* keysOf(path: string, format: Format, column: string): AsyncGenerator<string> {
  for await (const { key } of rowsOf(path, format, column)) if (key !== null) yield key;
}

/**
 * Writes the rows whose keys are not among those to the data folder.
 * @returns the path of the file
 * @throws UsageError where the list cannot be read
 */
export async function restOfList(
  path: string,
  format: Format,
  column: string,
  done: ReadonlySet<string>,
  dataDir: string,
): Promise<string> {
  const folder = join(dataDir, 'lists');
  mkdirSync(folder, { recursive: true });
  const rest = join(folder, `rest-${process.pid}`);
  const left = async function* () {
    let before = format === 'json' ? '[' : '';
    for await (const { key, raw } of rowsOf(path, format, column)) {
      if (key !== null && done.has(key)) continue;
      yield before + raw;
      if (format === 'json') before = ',';
    }
    if (format === 'json') yield before === '[' ? '[]' : ']';
  };
  await pipeline(Readable.from(left()), createWriteStream(rest, { mode: 0o600 }));
  return rest;
}

async function* rowsOf(path: string, format: Format, column: string): AsyncGenerator<KeyedRow> {
  try {
    if (format === 'csv') yield* csvRows(path, column);
    else if (format === 'ndjson') {
      for await (const line of textLines(createReadStream(path)))
        if (line.trim() !== '') yield { key: keyIn(JSON.parse(line), column), raw: `${line}\n` };
    } else
      for (const item of JSON.parse(readFileSync(path, 'utf8')) as unknown[])
        yield { key: keyIn(item, column), raw: JSON.stringify(item) };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

async function* csvRows(path: string, column: string): AsyncGenerator<KeyedRow> {
  const { parse } = await import('csv-parse');
  const rows = parse({ raw: true, bom: true, relax_quotes: true, skip_empty_lines: true });
  const file = createReadStream(path);
  file.once('error', (error) => rows.destroy(error));
  let position: number | null = null;
  for await (const { raw, record } of file.pipe(rows) as AsyncIterable<{ raw: string; record: string[] }>) {
    const text = /[\r\n]$/.test(raw) ? raw : `${raw}\n`;
    if (position !== null) yield { key: record[position]!, raw: text };
    else {
      position = record.indexOf(column);
      if (position === -1) throw noColumn(column, record);
      yield { key: null, raw: text };
    }
  }
}

export const noColumn = (column: string, columns: readonly string[]): UsageError =>
  new UsageError(`--key: there is no column "${column}"; the columns are ${columns.map((c) => `"${c}"`).join(', ')}`);

function keyIn(item: unknown, column: string): string {
  let value: unknown = item;
  for (const step of column.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[step];
  if (value === undefined)
    throw new UsageError(`--key: a row has no "${column}": ${JSON.stringify(item).slice(0, 200)}`);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
