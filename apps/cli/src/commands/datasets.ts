import { createReadStream, existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { reach, withEngine, type ReachingOptions } from '../engine/reaching.js';
import { printOne, type PrintOptions } from '../terminal/print.js';
import { UsageError } from '../usage-error.js';

interface UploadOptions extends ReachingOptions, PrintOptions {
  readonly name?: string;
  readonly format?: string;
  readonly separator?: string;
}

/** `dataset upload`. */
export function addDatasets(program: Command): void {
  const dataset = program.command('dataset').description('lists that the engine keeps');
  withEngine(dataset.command('upload').description('upload a list of any size; prints its id'))
    .argument('<file>', '.csv, .ndjson, .jsonl or .json; - reads standard input')
    .option('--name <name>', 'a label (the name of the file)')
    .option('--format <format>', 'csv, ndjson or json, where the name of the file does not tell')
    .option('--separator <character>', 'of a CSV: one character, or tab')
    .option('--json', 'print JSON')
    .action(async (file: string, options: UploadOptions) => {
      if (file !== '-' && !existsSync(file)) throw new UsageError(`there is no file ${file}`);
      const query = new URLSearchParams({
        name: options.name ?? (file === '-' ? 'standard input' : basename(file)),
        format: options.format ?? formatOf(file),
        ...(options.separator === undefined ? {} : { separator: options.separator }),
      });
      const client = await reach(options);
      const view = await client.json<{ id: string; itemCount: number; bytes: number }>(
        'POST',
        `/v1/datasets?${query.toString()}`,
        { body: file === '-' ? process.stdin : createReadStream(file), type: 'application/octet-stream' },
      );
      if (options.json) return printOne(view, options);
      process.stderr.write(`${view.itemCount} rows, ${view.bytes} bytes\n`);
      process.stdout.write(`${view.id}\n`);
    });
}

function formatOf(file: string): string {
  const [, ending] = /\.(csv|ndjson|jsonl|json)$/i.exec(file) ?? [];
  if (ending === undefined) throw new UsageError(`${file}: say what it is with --format csv, ndjson or json`);
  return ending.toLowerCase() === 'jsonl' ? 'ndjson' : ending.toLowerCase();
}
