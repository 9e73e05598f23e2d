import type { ChildView, FailureView } from '../engine/views.js';
import type { MapOptions, Target } from './map-options.js';

const columns = ['Seq', 'Host', 'Starttime', 'JobRuntime', 'Send', 'Receive', 'Exitval', 'Signal', 'Command'];

/**
 * The log that GNU parallel writes, tab separated, one line for each row in the order of the list: number from 1, host, start in seconds since
 * 1970, seconds it took with all its retries, two zeros, exit code (of a call its status, 0 where it succeeded; -1 where there
 * was none), signal, and what was run.
 */
export async function* joblogLines(children: AsyncIterable<ChildView>, options: MapOptions): AsyncGenerator<string> {
  yield `${columns.join('\t')}\n`;
  const words = wordsOf(options.target);
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
      words,
    ];
    yield `${fields.join('\t')}\n`;
  }
}

function exitOf(error: FailureView | null): number {
  return error?.exitCode ?? error?.status ?? -1;
}

function wordsOf(target: Target): string {
  const words = target.kind === 'command' ? target.words.join(' ') : `${target.method} ${target.url}`;
  return words.replaceAll(/[\t\r\n]+/g, ' ');
}
