import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { cliEnvironment, type CliEnvironment } from '../environment.js';
import { CommandFailed, UsageError } from '../usage-error.js';
import type { EngineClient } from './engine-client.js';
import { runningEngine } from './engine-session.js';

/** Options that every command with an engine has. */
export interface ReachingOptions {
  readonly url?: string;
  readonly keyFile?: string;
}

/** Adds them. */
export const withEngine = (command: Command): Command =>
  command
    .option('--url <url>', 'the engine (FANFOLD_URL; without it the one on the data folder)')
    .option('--key-file <file>', 'a file with its API key (FANFOLD_API_KEY; without it that of the data folder)');

/** The surroundings, with what the options say instead. @throws UsageError where the file cannot be read */
export function environmentOf({ url, keyFile }: ReachingOptions): CliEnvironment {
  const environment = cliEnvironment();
  return {
    ...environment,
    url: url ?? environment.url,
    apiKey: keyFile === undefined ? environment.apiKey : keyIn(keyFile),
  };
}

function keyIn(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new UsageError(
      `--key-file ${file} cannot be read; an engine of this machine keeps its key in <data folder>/api-key`,
    );
  }
}

/** The engine that is asked. @throws CommandFailed where there is none */
export async function reach(options: ReachingOptions): Promise<EngineClient> {
  const environment = environmentOf(options);
  const session = await runningEngine(environment);
  if (session) return session.client;
  throw new CommandFailed(
    `no engine runs on ${environment.dataDir}; start one with npm start, or name one with --url or FANFOLD_URL`,
  );
}
