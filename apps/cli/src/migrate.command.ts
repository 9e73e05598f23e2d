import { migrate } from '@app/persistence';
import { databaseOfEnvironment } from './database-of-environment.js';

/** @returns the exit code */
export async function migrateSchema(): Promise<number> {
  const settings = databaseOfEnvironment();
  if (!settings) return 2;
  const ran = await migrate(settings);
  process.stdout.write(ran === 0 ? 'the schema is current\n' : `ran ${ran} migration(s)\n`);
  return 0;
}
