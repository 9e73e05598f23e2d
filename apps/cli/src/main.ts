#!/usr/bin/env node
// What a command needs is imported when it is run: the first line of --help must not wait for an engine to be read.
import { Command, CommanderError } from 'commander';
import { addCompletion } from './commands/completion.js';
import { addControl } from './commands/control.js';
import { addDatasets } from './commands/datasets.js';
import { addExecutions } from './commands/executions.js';
import { addFleet } from './commands/fleet.js';
import { addHistory } from './commands/history.js';
import { addPipelines } from './commands/pipelines.js';
import { addRun } from './commands/run.js';
import { addMap } from './map/map-arguments.js';
import { CommandFailed, UsageError } from './usage-error.js';

const usage = 2;
const program = new Command('fanfold')
  .description('Durable fan-out from the command line')
  .enablePositionalOptions()
  .exitOverride();
addMap(program);
addPipelines(program);
addDatasets(program);
addRun(program);
addExecutions(program);
addHistory(program);
addControl(program);
addFleet(program);
program
  .command('fsck')
  .description('check the invariants I1 to I6 over DATABASE_URL, or the data folder')
  .action(async () => {
    await import('reflect-metadata');
    const { checkInvariants } = await import('./fsck.command.js');
    process.exitCode = await checkInvariants();
  });
program
  .command('migrate')
  .description('bring the schema up to date')
  .action(async () => {
    await import('reflect-metadata');
    const { migrateSchema } = await import('./migrate.command.js');
    process.exitCode = await migrateSchema();
  });
addCompletion(program);

/** What cannot be understood names the help of the command that was meant. */
function nameHelp(command: Command, path: string): void {
  command.showHelpAfterError(`(${path} --help tells what there is)`);
  for (const below of command.commands) nameHelp(below, `${path} ${below.name()}`);
}
nameHelp(program, program.name());

// Whoever reads what is printed may have read enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : usage;
  else if (error instanceof UsageError || error instanceof CommandFailed) {
    process.stderr.write(`fanfold: ${error.message}\n`);
    process.exitCode = error instanceof UsageError ? usage : 1;
  } else throw error;
}
// Sockets that are kept open for the next request must not keep a command that is done.
process.exit();
