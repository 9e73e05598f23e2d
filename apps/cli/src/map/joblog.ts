import type { ChildView, FailureView } from '../engine/views.js';
import type { MapOptions, Target } from './map-options.js';
import { wordsOf } from './map-pipeline.js';
import { renderedWord, segmentsOf, type Columns } from './placeholders.js';

const columns = ['Seq', 'Host', 'Starttime', 'JobRuntime', 'Send', 'Receive', 'Exitval', 'Signal', 'Command'];

/**
 * The log that GNU parallel writes, tab separated, one line for each row in the order of the list: number from 1, host, start in seconds since
 * 1970, seconds it took with all its retries, two zeros, exit code (of a call its status, 0 where it succeeded; -1 where there
 * was none), signal, and what was run for it.
 * @param children with their inputs, which are the rows
 * @param names of the columns; null: the rows are JSON
 */
export async function* joblogLines(
  children: AsyncIterable<ChildView>,
  { target }: Pick<MapOptions, 'target'>,
  names: readonly string[] | null,
): AsyncGenerator<string> {
  yield `${columns.join('\t')}\n`;
  const said = sayingOf(target, { names });
  for await (const child of children) {
    if (child.startedAt === null) continue;
    const startedAt = Date.parse(child.startedAt);
    const seconds = ((child.finishedAt === null ? startedAt : Date.parse(child.finishedAt)) - startedAt) / 1_000;
    const fields = [
      child.itemIndex + 1,
      ':',
      (startedAt / 1_000).toFixed(3),
      seconds.toFixed(3),
      0,
      0,
      child.state === 'SUCCEEDED' ? 0 : exitOf(child.error),
      child.error?.signal ?? 0,
      said(child.input, child.itemIndex),
    ];
    yield `${fields.join('\t')}\n`;
  }
}

function exitOf(error: FailureView | null): number {
  return error?.exitCode ?? error?.status ?? -1;
}

/** What was run for a row, on one line; the same placeholders that were filled in for it. */
function sayingOf(target: Target, columns: Columns): (row: unknown, index: number) => string {
  const words =
    target.kind === 'command'
      ? wordsOf(target.words, columns)
      : [[{ kind: 'text', text: target.method } as const], segmentsOf(target.url, columns, true)];
  return (row, index) =>
    words
      .map((segments) => renderedWord(segments, row, index, columns) ?? '')
      .join(' ')
      .replaceAll(/[\t\r\n]+/g, ' ');
}
