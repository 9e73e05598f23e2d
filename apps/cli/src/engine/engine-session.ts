import { sleep } from '@app/runtime/clock/sleep.js';
import type { CliEnvironment } from '../environment.js';
import { CommandFailed, UsageError } from '../usage-error.js';
import { EngineClient, type Address } from './engine-client.js';
import { localEngine, type LocalEngine } from './local-address.js';
import { DataFolderTaken, OwnEngine } from './own-engine.js';

/** An engine to work with for a while. */
export interface EngineSession {
  readonly client: EngineClient;
  /** The one that was started for this, and ends with it. */
  readonly own: OwnEngine | null;
  /** One that lives on the data folder already. */
  readonly local: LocalEngine | null;
}

const patienceMs = 60_000;
/** An engine ends in less, unless something of it still runs. */
const saidAfterMs = 1_000;

/** The engine that the environment names, or the one that lives on the data folder; null: there is none. */
export async function runningEngine(environment: CliEnvironment): Promise<EngineSession | null> {
  if (environment.url !== undefined) {
    if (environment.apiKey === undefined)
      throw new UsageError('FANFOLD_URL names an engine; give its key in FANFOLD_API_KEY, or a file with --key-file');
    const address: Address = { url: environment.url.replace(/\/+$/, ''), apiKey: environment.apiKey };
    return { client: new EngineClient(address), own: null, local: null };
  }
  const local = localEngine(environment.dataDir, environment.apiKey);
  return local && (await isReady(local.url)) ? { client: new EngineClient(local), own: null, local } : null;
}

/**
 * The running engine, or one of our own where there is none. An engine that is just about to end on the data folder is
 * waited for.
 * @param onWait told once, where that takes longer than usual
 * @throws CommandFailed where the data folder stays taken by something that does not answer
 */
export async function openEngine(
  environment: CliEnvironment,
  ownEnvironment: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
  onWait: (words: string) => void,
): Promise<EngineSession> {
  for (let waitedMs = 0; ; waitedMs += 200) {
    signal.throwIfAborted();
    const running = await runningEngine(environment);
    if (running) return running;
    try {
      const own = await OwnEngine.start({ dataDir: environment.dataDir, environment: ownEnvironment });
      return { client: new EngineClient(own.address), own, local: null };
    } catch (error) {
      if (!(error instanceof DataFolderTaken)) throw error;
      if (waitedMs >= patienceMs) throw new CommandFailed(`${error.message}. It does not answer; end it first`);
      if (waitedMs === saidAfterMs) onWait(`${error.message}; waiting for it to let what it runs come to its end`);
      await sleep(200, signal);
    }
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
