import { sleep } from '@app/runtime/clock/sleep.js';
import { SystemClock } from '@app/runtime/clock/system-clock.js';
import { EngineAway } from '../engine/engine-client.js';
import { openEngine, type EngineSession } from '../engine/engine-session.js';
import { environmentOf } from '../engine/reaching.js';
import { variableOf } from '../environment.js';
import { duration, Progress } from '../terminal/progress.js';
import { UsageError } from '../usage-error.js';
import { deliver } from './deliver.js';
import { follow, type EndedRun } from './follow.js';
import { Interruption } from './interruption.js';
import { listFileOf } from './list-file.js';
import { demandPlace } from './output-file.js';
import { readMapOptions, type GivenOptions, type MapOptions } from './map-options.js';
import { identityOf } from './run-identity.js';
import { holdOthers, takeUp } from './take-up.js';

const interrupted = 130;
const awayForMs = 300_000;
/** Calls are limited by their destination; slots only must not be fewer. */
const usualSlots = 100;

/**
 * `fanfold map`: one command or call for each row of a list, on an engine that keeps what is done.
 *
 * Dies anywhere and goes on when run again. What is done is on the engine only; this process finds the run, watches it,
 * and writes files once all rows have settled. Killed before the start: nothing has begun. Killed later: its engine
 * notices that the channel is closed and ends too, and the next one finds the run by its label. Killed while it writes:
 * the run has settled, nothing is run, and what it gave is written again.
 *
 * @returns the exit code: 0 within tolerance, 1 beyond it, 130 interrupted
 * @throws UsageError, CommandFailed
 */
export async function map(file: string, command: readonly string[], given: GivenOptions): Promise<number> {
  const environment = environmentOf(given);
  const options = readMapOptions(file, command, given);
  for (const name of ['output', 'failed', 'joblog'] as const) {
    const path = options[name];
    if (path !== undefined && path !== '-') demandPlace(`--${name}`, path);
  }
  if (options.dryRun) return (await import('./dry-run.js')).dryRun(options, process.stdin, process.stdout);
  const interruption = Interruption.listen();
  const list = await listFileOf(file, environment.dataDir, process.stdin);
  const identity = identityOf({
    name: options.name,
    target: options.target,
    path: list.given,
    contentHash: list.contentHash,
    folder: process.cwd(),
  });
  const clock = new SystemClock();
  const progress = new Progress(process.stderr, () => clock.monotonic());
  const startedAt = clock.monotonic();
  let asked = options;
  let wasReached = false;
  let awaySince: number | null = null;
  let again: string | null = null;
  for (;;) {
    let session: EngineSession | null = null;
    try {
      session = await openEngine(environment, ownEnvironment(options), interruption.signal, (words) =>
        progress.say(`fanfold: ${words}`),
      );
      interruption.signal.throwIfAborted();
      demandSameFolder(session, options);
      if (session.own) {
        await holdOthers(session.client, identity.id);
        session.own.begin();
      }
      const run = await takeUp(session.client, asked, identity, list, session.own !== null);
      again = run.again ?? again;
      // What was asked for once must not be asked for again after an engine was lost.
      asked = { ...options, fresh: false, retryFailed: false };
      [wasReached, awaySince] = [true, null];
      if (run.isResumed) progress.say(`fanfold: going on with ${identity.id} (${run.id})`);
      const ended = await follow(
        session.client,
        { ...run, again },
        options.concurrency,
        progress,
        () => clock.monotonic(),
        interruption.signal,
      );
      if (ended) {
        await deliver(session.client, run, options, list, process.stdout);
        tell(progress, ended, options, (clock.monotonic() - startedAt) / 1_000);
        return ended.execution.state === 'SUCCEEDED' ? 0 : 1;
      }
      await interruption.pause(session.client, run.id);
    } catch (error) {
      if (!(error instanceof EngineAway) && !interruption.signal.aborted) throw error;
      if (!interruption.signal.aborted) {
        // One that was named and never answered is not there; one of the data folder may have ended just now.
        if (environment.url !== undefined && !wasReached) throw error;
        if (awaySince !== null && clock.monotonic() - awaySince > awayForMs) throw error;
        if (awaySince === null) progress.say(`fanfold: ${(error as Error).message}; waiting for it`);
        awaySince ??= clock.monotonic();
        await sleep(500, interruption.signal);
      }
    } finally {
      if (session?.own) await interruption.end(session.own);
    }
    if (interruption.signal.aborted) {
      progress.leave();
      progress.say('fanfold: interrupted; the same command goes on where this one stopped');
      return interrupted;
    }
  }
}

/** What an engine of our own may reach, and knows, because the command line says so. */
function ownEnvironment({ target, concurrency }: MapOptions): Record<string, string | undefined> {
  if (target.kind === 'call') {
    const host = /^https?:\/\/(?:\[([^\]]+)\]|([^/:?#{}]+))/.exec(target.url);
    const allowed = ['127.0.0.0/8', '::1/128', ...(host ? [host[1] ?? host[2]!] : [])];
    const slots = String(Math.max(usualSlots, concurrency));
    return { EXECUTOR_HTTP_ALLOW: variableOf('EXECUTOR_HTTP_ALLOW') ?? allowed.join(','), EXECUTOR_SLOTS: slots };
  }
  const secrets: Record<string, string> = {};
  for (const name of target.env) {
    const value = variableOf(name);
    if (value === undefined) throw new UsageError(`--env ${name}: this variable is not set`);
    secrets[`FANFOLD_SECRET_${name}`] = value;
  }
  return { EXECUTOR_ALLOW_SHELL: 'true', EXECUTOR_SLOTS: String(concurrency), ...secrets };
}

function demandSameFolder({ local }: EngineSession, { target }: MapOptions): void {
  if (target.kind !== 'command' || !local || local.folder === process.cwd()) return;
  throw new UsageError(
    `the engine on this data folder runs commands in ${local.folder}; run this one there, or set FANFOLD_DATA_DIR to a folder of its own`,
  );
}

/** Why no row of a list was run: rows are counted from 1, as people do. */
function refusalOf(error: EndedRun['execution']['error']): string {
  const [one, other] = error?.itemIndexes ?? [];
  if (error?.code !== 'ITEM_KEY.DUPLICATE' || one === undefined || other === undefined)
    return error?.message ?? 'it failed';
  return `rows ${one + 1} and ${other + 1} have the same key, and a key tells one row; correct the list, or name another column with --key`;
}

function tell(progress: Progress, { execution, figures }: EndedRun, options: MapOptions, seconds: number): void {
  const { succeeded, failed } = figures;
  const total = figures.total ?? succeeded + failed;
  const notRun = total - succeeded - failed;
  const left = notRun > 0 ? `, ${notRun} not run` : '';
  progress.leave();
  progress.say(`${total} rows: ${succeeded} succeeded, ${failed} failed${left} (${duration(seconds)})`);
  // No row is to blame: the list was refused as a whole, as one with a key twice.
  if (execution.state === 'FAILED' && failed === 0) progress.say(`fanfold: ${refusalOf(execution.error)}`);
  for (const { count, words } of figures.causes) progress.say(`${String(count).padStart(6)} × ${words}`);
  if (failed + notRun === 0) return;
  const verdict = execution.state === 'SUCCEEDED' ? 'within' : 'beyond';
  if (options.halt !== null) progress.say(`that is ${verdict} --halt`);
  const where = options.failed === undefined ? '' : `the failed rows are in ${options.failed}; `;
  progress.say(`${where}--retry-failed runs again what failed, and nothing else`);
}
