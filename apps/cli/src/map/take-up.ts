import { createReadStream } from 'node:fs';
import { EngineRefused, type EngineClient } from '../engine/engine-client.js';
import { isSettled, type DatasetView, type ExecutionView } from '../engine/views.js';
import { CommandFailed, UsageError } from '../usage-error.js';
import type { ListFile } from './list-file.js';
import type { MapOptions } from './map-options.js';
import { mapPipeline } from './map-pipeline.js';
import type { RunIdentity } from './run-identity.js';

export interface TakenUp {
  readonly id: string;
  /** It had begun before. */
  readonly isResumed: boolean;
}

/**
 * Finds the run on the engine, or starts it. Everything about a run is on the engine, under labels, so it does not matter
 * which process of ours was killed when: between the upload and the start nothing has begun, and from the start on the
 * run is found. Two that start the same run at once get the same execution, as its key is held by one.
 *
 * @throws UsageError where what was asked for is not what has begun
 */
export async function takeUp(
  client: EngineClient,
  options: MapOptions,
  identity: RunIdentity,
  list: ListFile,
  hasOwnSlots: boolean,
): Promise<TakenUp> {
  const found = await newestOf(client, identity.id);
  await limit(client, options, identity, hasOwnSlots);
  if (found === null) return start(client, options, identity, list, 'none');
  if (!options.fresh) return { id: await goOn(client, found, options, identity), isResumed: true };
  if (!isSettled(found.state)) await client.json('POST', `/v1/executions/${found.id}/cancel`);
  return start(client, options, identity, list, found.id);
}

/**
 * The limits of this call, in force at once for what runs already. Commands on an engine of our own are counted by its slots, which
 * lie where they run: a place that is given back through the database takes longer than a short command.
 */
async function limit(
  client: EngineClient,
  { target, concurrency, rate }: MapOptions,
  { id }: RunIdentity,
  hasOwnSlots: boolean,
): Promise<void> {
  const limits = {
    ...(hasOwnSlots && target.kind === 'command' ? {} : { maxConcurrency: concurrency }),
    ...(rate ? { rate } : {}),
  };
  const path = `/v1/destinations/${id}`;
  if (Object.keys(limits).length > 0) return void (await client.json('PUT', path, { body: limits }));
  await client.json('DELETE', path).catch((error: unknown) => {
    if (!(error instanceof EngineRefused) || error.status !== 404) throw error;
  });
}

async function newestOf(client: EngineClient, run: string): Promise<ExecutionView | null> {
  // A page ends early where much lies before the first match.
  for await (const row of client.pages<ExecutionView>(
    `/v1/executions?label=${encodeURIComponent(`fanfold.run=${run}`)}&limit=1`,
  ))
    return row;
  return null;
}

async function goOn(
  client: EngineClient,
  found: ExecutionView,
  options: MapOptions,
  identity: RunIdentity,
): Promise<string> {
  if (found.labels['fanfold.command'] !== identity.commandHash)
    throw new UsageError(
      `the run ${identity.id} has begun with another command; --fresh starts it anew, another --name is another run`,
    );
  if (found.labels['fanfold.content'] !== identity.contentHash)
    throw new UsageError(
      `the list has changed since the run ${identity.id} began, so its rows cannot be told by their position; ` +
        `--fresh starts anew with every row, --key <column> tells rows by a column`,
    );
  if (found.state === 'CANCELLED') throw new UsageError(`the run ${identity.id} was cancelled; --fresh starts it anew`);
  if (found.state === 'PAUSED') await client.json('POST', `/v1/executions/${found.id}/resume`);
  if (options.retryFailed && isSettled(found.state)) await retryFailed(client, found);
  return found.id;
}

/** Rows that failed, and those that were not run because too many had, run again; what succeeded does not. */
async function retryFailed(client: EngineClient, { id, state }: ExecutionView): Promise<void> {
  if (state === 'FAILED') await client.json('POST', `/v1/executions/${id}/retry`);
  else await client.json('POST', `/v1/executions/${id}/redrive`, { body: { state: ['FAILED'] } });
}

async function start(
  client: EngineClient,
  options: MapOptions,
  identity: RunIdentity,
  list: ListFile,
  before: string,
): Promise<TakenUp> {
  const query = new URLSearchParams({ name: list.given ?? identity.id, format: options.format });
  const dataset = await client.json<DatasetView>('POST', `/v1/datasets?${query.toString()}`, {
    body: createReadStream(list.path),
    type: 'application/octet-stream',
    // What was uploaded by one that was killed before the start is found again.
    headers: { 'idempotency-key': `${identity.id}-${identity.contentHash}-${before}` },
  });
  const columns = { names: options.format === 'csv' ? dataset.columns : null };
  if (options.key !== undefined && columns.names !== null && !columns.names.includes(options.key))
    throw new UsageError(`--key: there is no column "${options.key}"; the columns are ${columns.names.join(', ')}`);
  const pipeline = mapPipeline(identity.id, identity.id, options, columns);
  const { version } = await client.json<{ version: number }>('POST', '/v1/pipelines', { body: pipeline });
  const labels = {
    'fanfold.map': 'yes',
    'fanfold.run': identity.id,
    'fanfold.command': identity.commandHash,
    'fanfold.content': identity.contentHash,
  };
  try {
    const { id } = await client.json<ExecutionView>('POST', `/v1/pipelines/${identity.id}/executions`, {
      body: { input: { dataset: dataset.id }, labels, version, key: identity.id },
    });
    return { id, isResumed: false };
  } catch (error) {
    if (!(error instanceof EngineRefused) || error.code !== 'EXECUTION.KEY_IN_USE') throw error;
    if (typeof error.problem.id !== 'string')
      throw new CommandFailed('another process has just started this run; run it again');
    return { id: error.problem.id, isResumed: true };
  }
}

/**
 * Other runs that were left open on this data folder wait until they are run again themselves: whoever starts an engine
 * for one list does not want the calls of another.
 */
export async function holdOthers(client: EngineClient, own: string): Promise<void> {
  const open = ['PENDING', 'READY', 'RUNNING'].map((state) => `state=${state}`).join('&');
  for await (const { id, labels } of client.pages<ExecutionView>(
    `/v1/executions?label=fanfold.map%3Dyes&${open}&limit=1000`,
  ))
    if (labels['fanfold.run'] !== own) await client.json('POST', `/v1/executions/${id}/pause`);
}
