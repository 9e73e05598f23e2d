import { pipeline as pipe } from 'node:stream/promises';
import { Readable } from 'node:stream';
import type { Command } from 'commander';
import { reach, withEngine, type ReachingOptions } from '../engine/reaching.js';
import type { ChildView, ExecutionView, FailureGroup } from '../engine/views.js';
import { firstOf, printOne, printRows, type PrintOptions } from '../terminal/print.js';
import { tableOf } from '../terminal/table.js';
import { limited, limitOf, type LimitOptions } from './limited.js';

type Options = ReachingOptions & PrintOptions & LimitOptions;
type Row = ExecutionView & { readonly pipeline: { readonly name: string; readonly version: number } };

interface Filters {
  readonly pipeline?: string;
  readonly state?: readonly string[];
  readonly label?: readonly string[];
  readonly node?: string;
  readonly fingerprint?: string;
  readonly q?: string;
}

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];
const at = (id: string, rest = ''): string => `/v1/executions/${encodeURIComponent(id)}${rest}`;

/** What is looked at: `ps`, `show`, `children`, `failures`, `results`, `why`. */
export function addExecutions(program: Command): void {
  limited(withEngine(program.command('ps').description('executions, newest first')))
    .option('--pipeline <name>')
    .option('--state <state>', 'PENDING, READY, RUNNING, PAUSED, SUCCEEDED, FAILED or CANCELLED', collect)
    .option('--label <name=value>', '', collect)
    .option('--json', 'print JSON')
    .action(async (options: Options & Filters) => {
      const rows = (await reach(options)).pages<Row>(`/v1/executions${queryOf(options)}`);
      printRows(
        await firstOf(rows, limitOf(options)),
        [
          ['ID', ({ id }) => id],
          ['PIPELINE', ({ pipeline: { name, version } }) => `${name}@${version}`],
          ['STATE', ({ state }) => state],
          ['CREATED', ({ createdAt }) => createdAt],
          ['FINISHED', ({ finishedAt }) => finishedAt],
        ],
        options,
      );
    });

  withEngine(program.command('show').description('one execution: its state, its nodes, its fan-outs'))
    .argument('<id>')
    .option('--json', 'print JSON')
    .action(async (id: string, options: Options) => {
      const text = await (await reach(options)).text('GET', at(id));
      if (options.json) process.stdout.write(`${text}\n`);
      else show(JSON.parse(text) as Shown);
    });

  limited(
    withEngine(program.command('children').description('the children of its fan-outs, in the order of the items')),
  )
    .argument('<id>')
    .option('--node <node>', 'of one spawner')
    .option('--state <state>', '', collect)
    .option('--fingerprint <fingerprint>', 'that failed alike: see failures')
    .option('--q <text>', 'that hold a text')
    .option('--json', 'print JSON')
    .action(async (id: string, options: Options & Filters) => {
      const rows = (await reach(options)).pages<ChildView>(at(id, `/children${queryOf(options)}`));
      printRows(
        await firstOf(rows, limitOf(options)),
        [
          ['INDEX', ({ itemIndex }) => itemIndex],
          ['KEY', ({ itemKey }) => itemKey],
          ['STATE', ({ state }) => state],
          ['ID', ({ id: child }) => child],
          ['ERROR', ({ error }) => error?.message],
        ],
        options,
      );
    });

  limited(withEngine(program.command('failures').description('failed children, grouped by cause')))
    .argument('<id>')
    .option('--json', 'print JSON')
    .action(async (id: string, options: Options) => {
      const rows = (await reach(options)).pages<FailureGroup>(at(id, '/failures'));
      printRows(
        await firstOf(rows, limitOf(options)),
        [
          ['COUNT', ({ count }) => count],
          ['FINGERPRINT', ({ fingerprint }) => fingerprint],
          ['CODE', ({ code }) => code],
          ['MESSAGE', ({ message }) => message],
        ],
        options,
      );
    });

  withEngine(program.command('results').description('what a fan-out gave, as lines of JSON in the order of the items'))
    .argument('<id>')
    .option('--node <node>', 'the spawner, where there are several')
    .option('--failed', 'the failed items instead, in the format they came in')
    .option('--json', 'as it is')
    .action(async (id: string, options: ReachingOptions & { node?: string; failed?: boolean }) => {
      const path = at(id, `/${options.failed ? 'failed-items' : 'results'}${queryOf({ node: options.node })}`);
      await pipe(Readable.from(await (await reach(options)).stream(path)), process.stdout, { end: false });
    });

  withEngine(program.command('why').description('why it does not go on'))
    .argument('<id>')
    .option('--json', 'print JSON')
    .action(async (id: string, options: Options) => {
      printOne(await (await reach(options)).json<object>('GET', at(id, '/why')), options);
    });
}

interface Shown extends Row {
  readonly nodes: readonly {
    readonly id: string;
    readonly type: string;
    readonly state: string;
    readonly attempt: number;
    readonly error: { readonly message: string } | null;
  }[];
}

function show({ id, pipeline, state, createdAt, finishedAt, error, nodes, fanOuts }: Shown): void {
  printOne(
    { id, pipeline: `${pipeline.name}@${pipeline.version}`, state, createdAt, finishedAt, error: error?.message },
    {},
  );
  const table = tableOf(nodes, [
    ['NODE', (node) => node.id],
    ['TYPE', ({ type }) => type],
    ['STATE', (node) => node.state],
    ['ATTEMPT', ({ attempt }) => attempt],
    ['ERROR', (node) => node.error?.message],
  ]);
  process.stdout.write(`\n${table}`);
  if (fanOuts.length === 0) return;
  const counts = tableOf(fanOuts, [
    ['FAN-OUT', ({ nodeId }) => nodeId],
    ['TOTAL', ({ total }) => total],
    ['PENDING', ({ pending }) => pending],
    ['RUNNING', ({ running }) => running],
    ['SUCCEEDED', ({ succeeded }) => succeeded],
    ['FAILED', ({ failed }) => failed],
    ['CANCELLED', ({ cancelled }) => cancelled],
    ['VERDICT', ({ verdict }) => verdict],
  ]);
  process.stdout.write(`\n${counts}`);
}

function queryOf({ pipeline, state = [], label = [], node, fingerprint, q }: Filters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ pipeline, node, fingerprint, q }))
    if (value !== undefined) query.set(name, value);
  for (const one of state) query.append('state', one.toUpperCase());
  for (const one of label) query.append('label', one);
  return query.size === 0 ? '' : `?${query.toString()}`;
}
