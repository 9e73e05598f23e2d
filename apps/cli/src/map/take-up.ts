import { createReadStream, rmSync } from 'node:fs';
import { sleep } from '@app/runtime/clock/sleep.js';
import { EngineRefused, type EngineClient } from '../engine/engine-client.js';
import { isSettled, type ChildView, type DatasetView, type ExecutionView } from '../engine/views.js';
import { CommandFailed, UsageError } from '../usage-error.js';
import { succeededKeys } from './earlier-results.js';
import { noColumn, restOfList } from './keyed-list.js';
import type { ListFile } from './list-file.js';
import type { MapOptions } from './map-options.js';
import { mapPipeline } from './map-pipeline.js';
import type { RunIdentity } from './run-identity.js';

export interface TakenUp {
  readonly id: string;
  /** It had begun before. */
  readonly isResumed: boolean;
  /** Executions of the same run over lists as they were before, the newest first. */
  readonly earlier: readonly string[];
  /** Rows that failed until then are on their way to run again; null: none are. */
  readonly again: string | null;
}

const settleWithinMs = 60_000;

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
  if (found !== null && !options.fresh) demandSame(found, options, identity);
  await limit(client, options, identity, hasOwnSlots);
  if (found === null) return start(client, options, identity, list, []);
  if (!options.fresh) return goOn(client, found, options, identity, list);
  if (!isSettled(found.state)) await client.json('POST', `/v1/executions/${found.id}/cancel`);
  return start(client, options, identity, list, [], found.id);
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

/** What was asked for is what has begun, or can be told from it. @throws UsageError */
function demandSame({ labels, state }: ExecutionView, { key }: MapOptions, identity: RunIdentity): void {
  const { id, commandHash, contentHash } = identity;
  if (labels['fanfold.command'] !== commandHash)
    throw new UsageError(
      `the run ${id} has begun with another command; --fresh starts it anew, another --name is another run`,
    );
  const began = labels['fanfold.key'];
  const isSameList = labels['fanfold.content'] === contentHash;
  if (!isSameList && (key === undefined || began !== key))
    throw new UsageError(
      `the list has changed since the run ${id} began, so its rows cannot be told by their position; ` +
        `--fresh starts anew with every row, and a run that has --key <column> from its start tells rows by that column`,
    );
  if (began !== key)
    throw new UsageError(
      `the run ${id} has begun ${began === undefined ? 'without --key' : `with --key ${began}`}; say the same, or start it anew with --fresh`,
    );
  if (isSameList && state === 'CANCELLED') throw new UsageError(`the run ${id} was cancelled; --fresh starts it anew`);
}

async function goOn(
  client: EngineClient,
  found: ExecutionView,
  options: MapOptions,
  identity: RunIdentity,
  list: ListFile,
): Promise<TakenUp> {
  const earlier = await earlierOf(client, found);
  if (found.labels['fanfold.content'] !== identity.contentHash) {
    await bringToRest(client, found);
    return start(client, options, identity, list, [found.id, ...earlier]);
  }
  if (found.state === 'PAUSED') await client.json('POST', `/v1/executions/${found.id}/resume`);
  const again = options.retryFailed && isSettled(found.state) ? await retryFailed(client, found) : null;
  return { id: found.id, isResumed: true, earlier, again };
}

async function earlierOf(client: EngineClient, { labels }: ExecutionView): Promise<string[]> {
  const ids: string[] = [];
  for (let id = labels['fanfold.before']; id !== undefined;) {
    ids.push(id);
    id = (await client.json<ExecutionView>('GET', `/v1/executions/${id}`)).labels['fanfold.before'];
  }
  return ids;
}

/** Nothing of it begins any more; what runs comes to its end first, so that it counts. */
async function bringToRest(client: EngineClient, { id, state }: ExecutionView): Promise<void> {
  if (isSettled(state)) return;
  if (state !== 'PAUSED') await client.json('POST', `/v1/executions/${id}/pause`);
  for (let waitedMs = 0; waitedMs < settleWithinMs; waitedMs += 100) {
    const { fanOuts } = await client.json<ExecutionView>('GET', `/v1/executions/${id}`);
    if (fanOuts.every(({ running }) => running === 0)) break;
    await sleep(100);
  }
  await client.json('POST', `/v1/executions/${id}/cancel`);
  for (let waitedMs = 0; waitedMs < settleWithinMs; waitedMs += 100) {
    const { fanOuts } = await client.json<ExecutionView>('GET', `/v1/executions/${id}`);
    if (fanOuts.every(({ spawned, succeeded, failed, cancelled }) => spawned === succeeded + failed + cancelled))
      return;
    await sleep(100);
  }
}

/**
 * Rows that failed, and those that were not run because too many had, run again; what succeeded does not. A verdict that was
 * tolerated stays, so the rows that are taken up one page after the other are known by the time they failed.
 * @returns that time, where the state of the execution does not tell
 */
async function retryFailed(client: EngineClient, { id, state }: ExecutionView): Promise<string | null> {
  if (state === 'FAILED') {
    await client.json('POST', `/v1/executions/${id}/retry`);
    return null;
  }
  let last: string | null = null;
  for await (const { finishedAt } of client.pages<ChildView>(`/v1/executions/${id}/children?state=FAILED&limit=1000`))
    if (finishedAt !== null && (last === null || finishedAt > last)) last = finishedAt;
  if (last !== null) await client.json('POST', `/v1/executions/${id}/redrive`, { body: { state: ['FAILED'] } });
  return last;
}

async function start(
  client: EngineClient,
  options: MapOptions,
  identity: RunIdentity,
  list: ListFile,
  earlier: readonly string[],
  replaced = 'none',
): Promise<TakenUp> {
  const [before] = earlier;
  const dataset = await upload(client, options, identity, list, earlier, before ?? replaced);
  const columns = { names: options.format === 'csv' ? dataset.columns : null };
  if (options.key !== undefined && columns.names !== null && !columns.names.includes(options.key))
    throw noColumn(options.key, columns.names);
  const pipeline = mapPipeline(identity.id, identity.id, options, columns);
  const { version } = await client.json<{ version: number }>('POST', '/v1/pipelines', { body: pipeline });
  const labels = {
    'fanfold.map': 'yes',
    'fanfold.run': identity.id,
    'fanfold.command': identity.commandHash,
    'fanfold.content': identity.contentHash,
    ...(options.key === undefined ? {} : { 'fanfold.key': options.key }),
    ...(before === undefined ? {} : { 'fanfold.before': before }),
  };
  try {
    const { id } = await client.json<ExecutionView>('POST', `/v1/pipelines/${identity.id}/executions`, {
      body: { input: { dataset: dataset.id }, labels, version, key: identity.id },
    });
    return { id, isResumed: false, earlier, again: null };
  } catch (error) {
    if (!(error instanceof EngineRefused) || error.code !== 'EXECUTION.KEY_IN_USE') throw error;
    if (typeof error.problem.id !== 'string')
      throw new CommandFailed('another process has just started this run; run it again');
    return { id: error.problem.id, isResumed: true, earlier, again: null };
  }
}

/** A list that cannot be read is told by where it cannot; null: it is something else. */
function listRefusal(error: unknown, { given }: ListFile): UsageError | null {
  if (!(error instanceof EngineRefused) || error.status !== 422 || !error.code.startsWith('DATASET.')) return null;
  return new UsageError(
    `${given ?? 'standard input'} cannot be read: ${error.problem.detail}; no row was run. Correct it, and run the same command again`,
  );
}

/** The list, or what is left of one that has changed. */
async function upload(
  client: EngineClient,
  options: MapOptions,
  { id, contentHash }: RunIdentity,
  list: ListFile,
  earlier: readonly string[],
  before: string,
): Promise<DatasetView> {
  const { format, key } = options;
  const rest =
    earlier.length > 0 && key !== undefined
      ? await restOfList(list.path, format, key, await succeededKeys(client, earlier), list.dataDir)
      : null;
  const query = new URLSearchParams({ name: list.given ?? id, format });
  try {
    return await client.json<DatasetView>('POST', `/v1/datasets?${query.toString()}`, {
      body: createReadStream(rest ?? list.path),
      type: 'application/octet-stream',
      // What was uploaded by one that was killed before the start is found again.
      headers: { 'idempotency-key': `${id}-${contentHash}-${before}` },
    });
  } catch (error) {
    throw listRefusal(error, list) ?? error;
  } finally {
    if (rest !== null) rmSync(rest, { force: true });
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
