import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EngineAway, type EngineClient } from '../engine/engine-client.js';
import type { ChildView, DatasetView, ExecutionView } from '../engine/views.js';
import { CommandFailed } from '../usage-error.js';
import { resultsByKey } from './earlier-results.js';
import { joblogLines } from './joblog.js';
import { keysOf } from './keyed-list.js';
import type { ListFile } from './list-file.js';
import type { MapOptions } from './map-options.js';
import { writeWhole } from './output-file.js';
import type { TakenUp } from './take-up.js';

/** Writes what was asked for; who is killed in the middle writes it anew when run again. */
export async function deliver(
  client: EngineClient,
  { id, earlier }: TakenUp,
  options: MapOptions,
  list: ListFile,
  out: NodeJS.WritableStream,
): Promise<void> {
  const { output, failed, joblog, key } = options;
  const results =
    earlier.length > 0 && key !== undefined
      ? resultsByKey(client, [id, ...earlier], keysOf(list.path, options.format, key))
      : await client.stream(`/v1/executions/${id}/results`);
  if (output === undefined || output === '-') await toStream(results, out);
  else await writeWhole(output, results);
  if (failed !== undefined) await writeWhole(failed, await client.stream(`/v1/executions/${id}/failed-items`));
  if (joblog !== undefined) {
    const children = client.pages<ChildView>(`/v1/executions/${id}/children?include=input&limit=1000`);
    const { input } = await client.json<ExecutionView>('GET', `/v1/executions/${id}`);
    const { columns } = await client.json<DatasetView>('GET', `/v1/datasets/${input!.dataset!}`);
    await writeWhole(joblog, joblogLines(children, options, options.format === 'csv' ? columns : null));
  }
}

async function toStream(parts: AsyncIterable<Uint8Array | string>, out: NodeJS.WritableStream): Promise<void> {
  try {
    await pipeline(Readable.from(parts), out, { end: false });
  } catch (error) {
    // Whoever reads has read enough.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return;
    // A part is printed, and cannot be taken back.
    if (error instanceof EngineAway)
      throw new CommandFailed(`${error.message}; run the same command again for all results`);
    throw error;
  }
}
