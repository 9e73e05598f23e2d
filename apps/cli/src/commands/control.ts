import type { Command } from 'commander';
import { reach, withEngine, type ReachingOptions } from '../engine/reaching.js';
import type { ExecutionView } from '../engine/views.js';
import { printOne, type PrintOptions } from '../terminal/print.js';

type Options = ReachingOptions & PrintOptions;

interface RedriveOptions extends Options {
  readonly state?: readonly string[];
  readonly node?: string;
  readonly class?: string;
  readonly fingerprint?: string;
  readonly dryRun?: boolean;
}

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];
const at = (id: string, rest: string): string => `/v1/executions/${encodeURIComponent(id)}/${rest}`;

/** What is done to an execution: `pause`, `resume`, `cancel`, `retry`, `redrive`. */
export function addControl(program: Command): void {
  const commands = [
    ['pause', 'start nothing new of it and below it; what runs ends'],
    ['resume', 'go on after a pause'],
    ['cancel', 'end it and all below it, for good'],
  ] as const;
  for (const [name, description] of commands)
    withEngine(program.command(name).description(description))
      .argument('<id>')
      .option('--alone', 'not what is below it')
      .option('--json', 'print JSON')
      .action(async (id: string, options: Options & { alone?: boolean }) => {
        const body = { cascade: options.alone !== true };
        tell(await (await reach(options)).json<ExecutionView>('POST', at(id, name), { body }), options);
      });

  withEngine(program.command('retry').description('run again what failed of an execution, and not what succeeded'))
    .argument('<id>')
    .option('--from <node>', 'this node and what follows it, succeeded or not')
    .option('--json', 'print JSON')
    .action(async (id: string, options: Options & { from?: string }) => {
      const body = options.from === undefined ? {} : { from: options.from };
      tell(await (await reach(options)).json<ExecutionView>('POST', at(id, 'retry'), { body }), options);
    });

  withEngine(
    program.command('redrive').description('run again the children of a fan-out that match all of the filters'),
  )
    .argument('<id>')
    .option('--state <state>', 'FAILED (as it comes) or CANCELLED', collect)
    .option('--node <node>', 'of one spawner')
    .option('--class <class>', 'PERMANENT, TRANSIENT, TIMEOUT, …')
    .option('--fingerprint <fingerprint>', 'that failed alike: see failures')
    .option('--dry-run', 'count, and change nothing')
    .option('--json', 'print JSON')
    .action(async (id: string, options: RedriveOptions) => {
      const { node, fingerprint, dryRun } = options;
      const body = {
        state: (options.state ?? ['FAILED']).map((state) => state.toUpperCase()),
        ...(node === undefined ? {} : { node }),
        ...(options.class === undefined ? {} : { class: options.class }),
        ...(fingerprint === undefined ? {} : { fingerprint }),
        ...(dryRun ? { dryRun: true } : {}),
      };
      const client = await reach(options);
      printOne(await client.json<object>('POST', at(id, 'redrive'), { body }), options);
    });
}

function tell(view: ExecutionView, options: Options): void {
  if (options.json) printOne(view, options);
  else process.stdout.write(`${view.id} ${view.state}\n`);
}
