import type { Command } from 'commander';
import { reach, withEngine, type ReachingOptions } from '../engine/reaching.js';
import { firstOf, printRows, type PrintOptions } from '../terminal/print.js';
import { limited, limitOf, type LimitOptions } from './limited.js';

type Options = ReachingOptions & PrintOptions & LimitOptions;

interface DestinationView {
  readonly name: string;
  readonly maxConcurrency: number | null;
  readonly rate: { readonly limit: number; readonly per: string } | null;
  readonly inUse: number;
  readonly waiting: number;
  readonly throttledUntil: string | null;
  readonly breaker?: string;
  readonly pausedAt?: string | null;
}

interface ExecutorView {
  readonly name: string;
  readonly state: string;
  readonly slots: number;
  readonly freeSlots: number;
  readonly queues: readonly string[];
  readonly seenAt: string;
}

/** What performs the work, and what is called: `executors`, `destinations`. */
export function addFleet(program: Command): void {
  limited(withEngine(program.command('destinations').description('what is called, and what it bears')))
    .option('--json', 'print JSON')
    .action(async (options: Options) => {
      const rows = (await reach(options)).pages<DestinationView>('/v1/destinations');
      printRows(
        await firstOf(rows, limitOf(options)),
        [
          ['NAME', ({ name }) => name],
          ['AT ONCE', ({ maxConcurrency }) => maxConcurrency],
          ['RATE', ({ rate }) => rate && `${rate.limit}/${rate.per}`],
          ['IN USE', ({ inUse }) => inUse],
          ['WAITING', ({ waiting }) => waiting],
          ['BREAKER', ({ breaker }) => breaker],
          ['HELD UNTIL', ({ throttledUntil, pausedAt }) => (pausedAt ? 'paused' : throttledUntil)],
        ],
        options,
      );
    });
  limited(withEngine(program.command('executors').description('what performs the work')))
    .option('--json', 'print JSON')
    .action(async (options: Options) => {
      const rows = (await reach(options)).pages<ExecutorView>('/v1/executors');
      printRows(
        await firstOf(rows, limitOf(options)),
        [
          ['NAME', ({ name }) => name],
          ['STATE', ({ state }) => state],
          ['SLOTS', ({ slots }) => slots],
          ['FREE', ({ freeSlots }) => freeSlots],
          ['QUEUES', ({ queues }) => queues.join(',')],
          ['SEEN', ({ seenAt }) => seenAt],
        ],
        options,
      );
    });
}
