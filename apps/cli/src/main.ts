import 'reflect-metadata';
import { Command } from 'commander';
import { checkInvariants } from './fsck.command.js';
import { migrateSchema } from './migrate.command.js';

const program = new Command('fanfold').description('Durable fan-out from the command line');
program
  .command('fsck')
  .description('check the invariants I1 to I6 over DATABASE_URL, or the data folder')
  .action(async () => {
    process.exitCode = await checkInvariants();
  });
program
  .command('migrate')
  .description('bring the schema up to date')
  .action(async () => {
    process.exitCode = await migrateSchema();
  });
await program.parseAsync();
