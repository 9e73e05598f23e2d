import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { effectiveEnvironment } from '@app/runtime/config/environment.js';
import { UsageError } from './usage-error.js';

/** What the command line reads of its surroundings. */
export interface CliEnvironment {
  /** A running engine; undefined: that of the data folder. */
  readonly url: string | undefined;
  readonly apiKey: string | undefined;
  /** Absolute. */
  readonly dataDir: string;
}

const known = ['FANFOLD_URL', 'FANFOLD_API_KEY', 'FANFOLD_DATA_DIR'];

/**
 * Read without the configuration of the services: that would load all of them before the first line of `--help`.
 * @throws UsageError where a file that holds a value cannot be read
 */
export function cliEnvironment(own: Readonly<NodeJS.ProcessEnv> = process.env): CliEnvironment {
  const { values, problems } = effectiveEnvironment(own, known, (path) => readFileSync(path, 'utf8'));
  const [problem] = problems;
  if (problem) throw new UsageError(`${problem.variable} ${problem.message}`);
  return {
    url: values.FANFOLD_URL,
    apiKey: values.FANFOLD_API_KEY,
    dataDir: resolve(values.FANFOLD_DATA_DIR ?? './.fanfold'),
  };
}

/** The environment of a program that this one starts: its own, with some variables set or, with undefined, unset. */
export function environmentWith(changes: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  // What is set here must not meet a file that gives the same variable.
  const files = Object.fromEntries(Object.keys(changes).map((name) => [`${name}_FILE`, undefined]));
  return { ...process.env, ...files, ...changes };
}

/** The value of a variable that the user names. */
export function variableOf(name: string): string | undefined {
  return process.env[name];
}
