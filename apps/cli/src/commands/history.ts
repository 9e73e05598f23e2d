import type { EventView, LogLineView } from '@app/contracts';
import type { Command } from 'commander';
import type { EngineClient } from '../engine/engine-client.js';
import { reach, withEngine, type ReachingOptions } from '../engine/reaching.js';
import { isSettled, type ExecutionView, type FailureView } from '../engine/views.js';
import { plainText } from '../terminal/plain-text.js';
import type { PrintOptions } from '../terminal/print.js';
import { UsageError } from '../usage-error.js';

interface HistoryOptions extends ReachingOptions, PrintOptions {
  readonly follow?: boolean;
  readonly after?: string;
  readonly attempt?: string;
}

interface Fact extends EventView {
  readonly data: { readonly error?: FailureView | null };
}

/** A kind of history: numbered entries, told one a line. */
interface History<T> {
  readonly path: string;
  numberOf(entry: T): number;
  /** For people. */
  lineOf(entry: T): string;
}

const events: History<Fact> = {
  path: 'events',
  numberOf: ({ seq }) => seq,
  lineOf: ({ seq, at, type, nodeId, attempt, data }) => {
    const where = nodeId === undefined ? '' : `  ${nodeId}${attempt == null ? '' : ` #${attempt}`}`;
    return `${seq}  ${at}  ${type}${where}${data.error?.message === undefined ? '' : `  ${data.error.message}`}`;
  },
};

const logs: History<LogLineView> = {
  path: 'logs',
  numberOf: ({ n }) => n,
  lineOf: ({ at, level, nodeId, attempt, message }) => `${at}  ${level}  ${nodeId ?? '–'} #${attempt}  ${message}`,
};

const settledWithin = '1s';

/** What happened: `events`, `logs`. */
export function addHistory(program: Command): void {
  withEngine(program.command('events').description('what happened to an execution, in order'))
    .argument('<id>')
    .option('--after <n>', 'those behind this number')
    .option('-f, --follow', 'go on until the execution has settled')
    .option('--json', 'print JSON, one event a line')
    .action(async (id: string, options: HistoryOptions) => tell(await reach(options), events, id, options));

  withEngine(program.command('logs').description('what commands wrote to standard error, and handlers to their log'))
    .argument('<id>', 'of the execution; of a fan-out, a child of it')
    .option('--attempt <n>', 'of one attempt')
    .option('--after <n>', 'those behind this number')
    .option('-f, --follow', 'go on until the execution has settled')
    .option('--json', 'print JSON, one line of the log a line')
    .action(async (id: string, options: HistoryOptions) => tell(await reach(options), logs, id, options));
}

async function tell<T>(client: EngineClient, history: History<T>, id: string, options: HistoryOptions): Promise<void> {
  const path = `/v1/executions/${encodeURIComponent(id)}`;
  const attempt = numberOf('--attempt', options.attempt);
  let after = numberOf('--after', options.after) ?? 0;
  for (;;) {
    // Looked at first: what has happened until it settled is told then.
    const isOver = !options.follow || isSettled((await client.json<ExecutionView>('GET', path)).state);
    const query = new URLSearchParams({ limit: '1000', after: String(after) });
    if (attempt !== null) query.set('attempt', String(attempt));
    for await (const entry of client.pages<T>(`${path}/${history.path}?${query.toString()}`)) {
      after = history.numberOf(entry);
      process.stdout.write(`${options.json ? JSON.stringify(entry) : plainText(history.lineOf(entry))}\n`);
    }
    if (isOver) return;
    await client.json<ExecutionView>('GET', `${path}?wait=${settledWithin}`);
  }
}

function numberOf(option: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`${option} takes a whole number, not ${JSON.stringify(text)}`);
}
