import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { reach, withEngine, type ReachingOptions } from '../engine/reaching.js';
import { firstOf, printOne, printRows, type PrintOptions } from '../terminal/print.js';
import { UsageError } from '../usage-error.js';
import { limited, limitOf, type LimitOptions } from './limited.js';

interface PipelineView {
  readonly name: string;
  readonly version: number;
  readonly enabled?: boolean;
  readonly createdAt: string;
}

type Options = ReachingOptions & PrintOptions;

/** `pipeline apply|list|get`. */
export function addPipelines(program: Command): void {
  const pipeline = program.command('pipeline').description('publish and look at pipelines');
  withEngine(pipeline.command('apply').description('publish a definition; the same one again changes nothing'))
    .argument('<file>', 'a JSON file; - reads standard input')
    .option('--json', 'print JSON')
    .action(async (file: string, options: Options) => {
      const sending = { body: definitionIn(file), type: 'application/json' };
      const { name, version } = await (await reach(options)).json<PipelineView>('POST', '/v1/pipelines', sending);
      if (options.json) printOne({ name, version }, options);
      else process.stdout.write(`${name} version ${version}\n`);
    });
  limited(withEngine(pipeline.command('list').description('all pipelines')))
    .option('--json', 'print JSON')
    .action(async (options: Options & LimitOptions) => {
      const client = await reach(options);
      const rows = await firstOf(client.pages<PipelineView>('/v1/pipelines'), limitOf(options));
      printRows(
        rows,
        [
          ['NAME', ({ name }) => name],
          ['VERSION', ({ version }) => version],
          ['ENABLED', ({ enabled }) => enabled],
          ['CREATED', ({ createdAt }) => createdAt],
        ],
        options,
      );
    });
  withEngine(pipeline.command('get').description('one pipeline, as JSON'))
    .argument('<name>')
    .option('--version <n>', 'a version instead of the newest')
    .option('--json', 'on one line')
    .action(async (name: string, options: Options & { version?: string }) => {
      const version = options.version === undefined ? '' : `/versions/${encodeURIComponent(options.version)}`;
      const client = await reach(options);
      const text = await client.text('GET', `/v1/pipelines/${encodeURIComponent(name)}${version}`);
      process.stdout.write(`${options.json ? text : JSON.stringify(JSON.parse(text), null, 2)}\n`);
    });
}

/** The text of a definition, which goes out as it is. */
function definitionIn(file: string): string {
  try {
    const text = readFileSync(file === '-' ? 0 : file, 'utf8');
    JSON.parse(text);
    return text;
  } catch (error) {
    throw new UsageError(`${file} cannot be read as JSON: ${(error as Error).message}`);
  }
}
