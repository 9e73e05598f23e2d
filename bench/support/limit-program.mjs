// The smallest program that does the same durable work on the same servers, if there is one. Figures are compared with it.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { root } from './root.mjs';
import { runProgram } from './run-program.mjs';

const GIVE_UP_MS = 1_200_000;

/** Its path, or undefined. */
export const limitProgram = () => {
  const named = process.env.LIMIT_PROGRAM;
  const program = resolve(root, named || '../shared/bench/limit.mjs');
  if (existsSync(program)) return program;
  if (named) throw new Error(`LIMIT_PROGRAM names no file: ${named}`);
  return undefined;
};

/** Runs it once. @returns what it printed: `{settledPerSecond, bytesPerChild, …}` */
export const runLimit = async (program, servers, { children, executors }) => {
  const { code, lastLine, told } = await runProgram(program, [String(children), String(executors)], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: servers.databaseUrl, RABBITMQ_URL: servers.rabbitmqUrl },
    timeoutMs: GIVE_UP_MS,
  });
  // It handles no errors, and its own processes survive it where it fails.
  if (code !== 0) throw new Error(`the limit program ended with ${code}: ${told}`);
  return JSON.parse(lastLine);
};
