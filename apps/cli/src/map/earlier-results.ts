import type { EngineClient } from '../engine/engine-client.js';
import { textLines } from './text-lines.js';

/** A line of results, with the exact text behind its place. */
interface KeyedLine {
  readonly key: string;
  readonly state: string;
  /** From `"key":` on. */
  readonly text: string;
}

/** The lines of an execution whose rows have keys. */
async function* linesOf(client: EngineClient, id: string): AsyncGenerator<KeyedLine> {
  for await (const line of textLines(await client.stream(`/v1/executions/${id}/results`))) {
    const { key, state } = JSON.parse(line) as { key: string | null; state: string };
    if (key !== null) yield { key, state, text: line.slice(line.indexOf(',') + 1) };
  }
}

/** The keys that have succeeded in any of those executions. */
export async function succeededKeys(client: EngineClient, ids: readonly string[]): Promise<Set<string>> {
  const keys = new Set<string>();
  for (const id of ids)
    for await (const { key, state } of linesOf(client, id)) if (state === 'SUCCEEDED') keys.add(key);
  return keys;
}

/**
 * The results of a list that has changed, in the order of its rows: each row as it ended last.
 * @param ids the executions of the run, the newest first
 */
export async function* resultsByKey(
  client: EngineClient,
  ids: readonly string[],
  keys: AsyncIterable<string>,
): AsyncGenerator<string> {
  const known = new Map<string, string>();
  // What succeeded earlier was not run later; where a row failed, its last time counts.
  for (const id of [...ids].reverse()) for await (const { key, text } of linesOf(client, id)) known.set(key, text);
  let index = 0;
  for await (const key of keys) {
    const text = known.get(key);
    if (text !== undefined) yield `{"index":${index},${text}\n`;
    index++;
  }
}
