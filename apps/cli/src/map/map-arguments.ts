import type { Command } from 'commander';
import { withEngine } from '../engine/reaching.js';
import type { GivenOptions } from './map-options.js';

const examples = `
Placeholders: {column} is the value of a column, {} the row, {#} its number from 1. A value is always one argument. Behind
sh -c '…' values go into further arguments: -- sh -c 'curl -d "$1" "$2"' sh {body} {url}

Run again after Ctrl-C, kill -9 or a power failure, the same command goes on where it stopped. A run is known by --name, else
by the words of its command and the path of the file.

Exit code: 0 all rows succeeded, or as many as --halt bears; 1 more failed; 2 usage; 130 interrupted.

  fanfold map users.csv --post https://api.example/users -j 20 --rate 50/s --halt 5% --failed failed.csv
  fanfold map images.csv -j 4 -- convert {path} -resize 800x {path}.small.jpg`;

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** Adds `map` to the program. */
export function addMap(program: Command): void {
  withEngine(
    program
      .command('map')
      .description('run a command, or make a call, for each row of a list, and survive whatever happens'),
  )
    .argument('<file>', 'a list: .csv, .ndjson, .jsonl or .json; - reads standard input')
    .argument('[command...]', 'behind --: the program and its arguments')
    .option('--post <url>', 'send the row with POST; also --get, --put, --patch, --delete')
    .option('--get <url>')
    .option('--put <url>')
    .option('--patch <url>')
    .option('--delete <url>')
    .option(
      '-H, --header <header>',
      "'name: value'; {secrets.NAME} is FANFOLD_SECRET_NAME, and is stored nowhere",
      collect,
    )
    .option('--body <json>', 'what to send instead of the row')
    .option('--env <name>', 'pass a variable of this environment to the command', collect)
    .option('-j, --jobs <n>', 'how many at once (10 calls, or as many commands as there are processors)')
    .option('--rate <rate>', 'how many may start: 50/s, 600/m, 1000/h')
    .option('--retries <n>', 'further attempts of a row that fails (3 for calls, 0 for commands)')
    .option('--timeout <time>', 'of one attempt: 10s, 5m (30 s for calls, 30 min for commands)')
    .option('--halt <limit>', 'bear 5% or 20 failed rows, and stop at more; without it all rows run, and none may fail')
    .option('--joblog <file>', 'a line for each row, as GNU parallel writes it')
    .option('-o, --output <file>', 'results as lines of JSON, in the order of the rows (standard output)')
    .option('--failed <file>', 'the rows that failed, in the format of the list, fit to be run again')
    .option('--dry-run', 'print what would be run')
    .option('--name <name>', 'what the run is known by')
    .option('--fresh', 'forget what was done, and run every row')
    .option('--retry-failed', 'of a run that has ended, run again what failed')
    .option('--key <column>', 'tell rows by a column, not by their position')
    .option('--format <format>', 'csv, ndjson or json, where the name of the file does not tell')
    .addHelpText('after', examples)
    .action(async (file: string, command: string[], given: GivenOptions) => {
      const { map } = await import('./map.command.js');
      process.exitCode = await map(file, command, given);
    });
}
