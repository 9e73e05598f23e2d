import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { SystemClock } from '@app/runtime/clock/system-clock.js';
import type { EngineClient } from '../engine/engine-client.js';
import { reach, withEngine, type ReachingOptions } from '../engine/reaching.js';
import { isSettled, type ExecutionView } from '../engine/views.js';
import { printOne, type PrintOptions } from '../terminal/print.js';
import { Progress } from '../terminal/progress.js';
import { UsageError } from '../usage-error.js';

interface RunOptions extends ReachingOptions, PrintOptions {
  readonly input?: string;
  readonly label?: readonly string[];
  readonly key?: string;
  readonly priority?: string;
  readonly version?: string;
  readonly watch?: boolean;
}

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** `run`: starts an execution, and watches it where it is asked to. */
export function addRun(program: Command): void {
  withEngine(program.command('run').description('start an execution of a pipeline; prints its id'))
    .argument('<pipeline>')
    .option('--input <json>', 'JSON, or @file', '{}')
    .option('--label <name=value>', '', collect)
    .option('--key <key>', 'at most one open execution of the pipeline has it')
    .option('--priority <0-9>', '9 first')
    .option('--version <n>', 'of the pipeline')
    .option('-w, --watch', 'show its progress, and end with 1 unless it succeeds')
    .option('--json', 'print JSON')
    .action(async (pipeline: string, options: RunOptions) => {
      const client = await reach(options);
      const more = JSON.stringify({
        ...(options.label === undefined ? {} : { labels: Object.fromEntries(options.label.map(labelOf)) }),
        ...(options.key === undefined ? {} : { key: options.key }),
        ...numbers(options),
      });
      // The input goes out as the text it is, with every digit of its numbers.
      const body = `{"input":${inputOf(options.input ?? '{}')}${more === '{}' ? '' : `,${more.slice(1, -1)}`}}`;
      const path = `/v1/pipelines/${encodeURIComponent(pipeline)}/executions`;
      const started = await client.json<ExecutionView>('POST', path, { body, type: 'application/json' });
      if (!options.watch) {
        if (options.json) printOne(started, options);
        else process.stdout.write(`${started.id}\n`);
        return;
      }
      process.stderr.write(`${started.id}\n`);
      const ended = await watched(client, started.id);
      if (options.json) process.stdout.write(`${await client.text('GET', `/v1/executions/${ended.id}`)}\n`);
      else printOne({ id: ended.id, state: ended.state, error: ended.error?.message }, {});
      process.exitCode = ended.state === 'SUCCEEDED' ? 0 : 1;
    });
}

async function watched(client: EngineClient, id: string): Promise<ExecutionView> {
  const clock = new SystemClock();
  const progress = new Progress(process.stderr, () => clock.monotonic());
  for (;;) {
    const view = await client.json<ExecutionView>('GET', `/v1/executions/${encodeURIComponent(id)}?wait=500ms`);
    const sum = (of: (fanOut: ExecutionView['fanOuts'][number]) => number): number =>
      view.fanOuts.reduce((total, fanOut) => total + of(fanOut), 0);
    const ended = isSettled(view.state);
    if (view.fanOuts.length > 0)
      progress.show(
        {
          total: view.fanOuts.some(({ total }) => total === null) ? null : sum(({ total }) => total!),
          succeeded: sum(({ succeeded }) => succeeded),
          failed: sum(({ failed }) => failed),
          cancelled: sum(({ cancelled }) => cancelled),
          running: sum(({ running }) => running),
          causes: [],
          note: view.state === 'PAUSED' ? `paused; go on with: fanfold resume ${id}` : null,
        },
        ended,
      );
    if (ended) return view;
  }
}

function inputOf(given: string): string {
  try {
    const text = given.startsWith('@') ? readFileSync(given.slice(1), 'utf8') : given;
    JSON.parse(text);
    return text;
  } catch (error) {
    throw new UsageError(`--input takes JSON, or @ and a file with JSON: ${(error as Error).message}`);
  }
}

function labelOf(text: string): readonly [string, string] {
  const end = text.indexOf('=');
  if (end < 1) throw new UsageError(`--label takes name=value, not ${JSON.stringify(text)}`);
  return [text.slice(0, end), text.slice(end + 1)];
}

function numbers({ priority, version }: RunOptions): object {
  const given = Object.entries({ priority, version }).filter(([, text]) => text !== undefined);
  for (const [name, text] of given)
    if (!/^\d+$/.test(text!)) throw new UsageError(`--${name} takes a whole number, not ${JSON.stringify(text)}`);
  return Object.fromEntries(given.map(([name, text]) => [name, Number(text)]));
}
