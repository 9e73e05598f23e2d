import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { parse } from 'csv-parse';
import { UsageError } from '../usage-error.js';
import type { MapOptions, Target } from './map-options.js';
import { mapPipeline, wordsOf } from './map-pipeline.js';
import { renderedWord, segmentsOf, type Columns } from './placeholders.js';
import { textLines } from './text-lines.js';

/** Prints what would be run for each row, and runs nothing. @returns the exit code */
export async function dryRun(
  options: MapOptions,
  input: NodeJS.ReadableStream,
  out: NodeJS.WritableStream,
): Promise<number> {
  if (options.file !== '-' && !existsSync(options.file)) throw new UsageError(`there is no file ${options.file}`);
  let index = 0;
  let columns: Columns | null = null;
  for await (const row of rowsOf(options, input)) {
    if (columns === null) {
      columns = { names: options.format === 'csv' ? Object.keys(row as object) : null };
      mapPipeline('map', 'map', options, columns);
    }
    out.write(`${lineOf(options.target, row, index++, columns)}\n`);
  }
  return 0;
}

async function* rowsOf({ file, format }: MapOptions, input: NodeJS.ReadableStream): AsyncGenerator<unknown> {
  const source = file === '-' ? (input as NodeJS.ReadStream) : createReadStream(file);
  try {
    if (format === 'csv') {
      const rows = parse({ columns: true, bom: true, relax_quotes: true, skip_empty_lines: true });
      source.once('error', (error: Error) => rows.destroy(error));
      for await (const row of source.pipe(rows)) yield row;
    } else if (format === 'ndjson') {
      for await (const line of textLines(source)) if (line.trim() !== '') yield JSON.parse(line);
    } else yield* JSON.parse(file === '-' ? await textOf(input) : readFileSync(file, 'utf8')) as unknown[];
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

async function textOf(input: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of input) text += String(chunk);
  return text;
}

function lineOf(target: Target, row: unknown, index: number, columns: Columns): string {
  if (target.kind === 'command')
    return wordsOf(target.words, columns)
      .map((segments) => quoted(renderedWord(segments, row, index, columns) ?? ''))
      .join(' ');
  const url = renderedWord(segmentsOf(target.url, columns, true), row, index, columns) ?? '';
  const headers = target.headers.map(([name, value]) => {
    const filled = renderedWord(segmentsOf(value, columns, true), row, index, columns) ?? '';
    return ` -H ${quoted(`${name}: ${filled}`)}`;
  });
  const hasBody = target.body !== undefined || (target.method !== 'GET' && target.method !== 'DELETE');
  const sent = target.body === undefined ? row : filled(JSON.parse(target.body), row, index, columns);
  const body = hasBody ? ` ${JSON.stringify(sent)}` : '';
  return `${target.method} ${url}${headers.join('')}${body}`;
}

/** A body with the values of a row in its strings. */
function filled(value: unknown, row: unknown, index: number, columns: Columns): unknown {
  if (typeof value === 'string') return renderedWord(segmentsOf(value, columns, true), row, index, columns) ?? '';
  if (Array.isArray(value)) return value.map((element) => filled(element, row, index, columns));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filled(member, row, index, columns)]));
}

/** As a shell would have to be given it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
