import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { reach, withEngine, type ReachingOptions } from '../engine/reaching.js';
import { printOne, printRows, type PrintOptions } from '../terminal/print.js';
import { UsageError } from '../usage-error.js';
import { firstOf } from '../terminal/print.js';
import { limited, limitOf, type LimitOptions } from './limited.js';

interface PipelineView {
  readonly name: string;
  readonly version?: number;
  readonly latestVersion?: number;
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
      const body = definitionIn(file);
      const { name, version } = await (await reach(options)).json<PipelineView>('POST', '/v1/pipelines', { body });
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
          ['VERSION', ({ version, latestVersion }) => version ?? latestVersion],
          ['ENABLED', ({ enabled }) => enabled],
          ['CREATED', ({ createdAt }) => createdAt],
        ],
        options,
      );
    });
  withEngine(pipeline.command('get').description('one pipeline, as JSON'))
    .argument('<name>')
    .option('--version <n>', 'a version instead of the newest')
    .action(async (name: string, options: ReachingOptions & { version?: string }) => {
      const version = options.version === undefined ? '' : `/versions/${encodeURIComponent(options.version)}`;
      const client = await reach(options);
      const value = await client.json<object>('GET', `/v1/pipelines/${encodeURIComponent(name)}${version}`);
      process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
    });
}

function definitionIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'));
  } catch (error) {
    throw new UsageError(`${file} cannot be read as JSON: ${(error as Error).message}`);
  }
}
