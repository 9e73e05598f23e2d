import type { Command } from 'commander';
import { UsageError } from '../usage-error.js';

export interface LimitOptions {
  readonly limit?: string;
}

/** Adds `--limit` to a command that lists. */
export const limited = (command: Command): Command => command.option('-n, --limit <n>', 'how many at most', '50');

/** @throws UsageError */
export function limitOf({ limit = '50' }: LimitOptions): number {
  if (/^[1-9]\d*$/.test(limit)) return Number(limit);
  throw new UsageError(`--limit takes a whole number from 1, not ${JSON.stringify(limit)}`);
}
