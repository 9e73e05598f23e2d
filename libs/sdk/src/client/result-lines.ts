import { parseExact } from './exact-numbers.js';
import type { ResultLine } from './openapi.generated.js';

/**
 * Lines of results, in item order. A connection that breaks is made again, and lines that were told are left out.
 * @param attempts connections in a row that tell nothing before it gives up
 * @throws whatever the last connection threw
 */
export async function* resultLinesOf(
  open: () => Promise<AsyncIterable<Uint8Array>>,
  attempts: number,
): AsyncGenerator<ResultLine, void> {
  let last = -1;
  for (let silent = 1; ; silent++) {
    try {
      for await (const text of linesOf(await open())) {
        const line = parseExact(text) as ResultLine;
        if (line.index <= last) continue;
        silent = 0;
        last = line.index;
        yield line;
      }
      return;
    } catch (error) {
      // What the parsing of a line that was cut off says is the connection's fault as well.
      if (silent >= attempts || (error as Error).name === 'EngineRefused') throw error;
    }
  }
}

async function* linesOf(parts: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of parts) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n');
    rest = lines.pop()!;
    for (const line of lines) if (line !== '') yield line;
  }
  if (rest !== '') yield rest;
}
