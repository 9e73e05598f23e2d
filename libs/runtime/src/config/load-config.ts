import { readFileSync } from 'node:fs';
import { ConfigProblems } from './config-problems.js';
import type { Environment } from './environment.js';
import type { ConfigByKind, ProcessKind } from './process-kind.js';
import { readConfig } from './read-config.js';

/** `EX_CONFIG` of sysexits: the configuration is wrong, and a restart will not mend it. */
export const CONFIG_EXIT_CODE = 78;

/** For `main.ts`: the configuration of this process, or a list of every problem on stderr and exit code 78. */
export const loadConfig = <Kind extends ProcessKind>(
  kind: Kind,
  environment: Environment = process.env,
): ConfigByKind[Kind] => {
  try {
    return readConfig(kind, environment, (path) => readFileSync(path, 'utf8'));
  } catch (error) {
    if (!(error instanceof ConfigProblems)) throw error;
    const lines = error.problems.map(({ variable, message }) => `  ${variable} ${message}\n`);
    process.stderr.write(`fanfold ${kind}: the configuration has ${lines.length} problem(s)\n${lines.join('')}`);
    return process.exit(CONFIG_EXIT_CODE);
  }
};

/** For what the configuration names and only a process itself can try: one line on stderr, and exit code 78. */
export const refuseConfig = (kind: ProcessKind, problem: string): never => {
  process.stderr.write(`fanfold ${kind}: the configuration has 1 problem(s)\n  ${problem}\n`);
  return process.exit(CONFIG_EXIT_CODE);
};

/** This process's environment with some variables set (or, with undefined, unset), for a child process. */
export const childEnvironment = (changes: Environment): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ ...process.env, ...changes }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
