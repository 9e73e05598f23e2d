import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSettings } from '@app/persistence';
import { loadConfig } from '@app/runtime';

/** Which database a command is about: DATABASE_URL, or that of a running engine on the data folder; null when there is none. */
export function databaseOfEnvironment(): DatabaseSettings | null {
  const { database, dataDir } = loadConfig('standalone');
  const file = join(dataDir, 'database.url');
  const url = database.url ?? (existsSync(file) ? readFileSync(file, 'utf8').trim() : null);
  if (url === null) {
    process.stderr.write(`fanfold: set DATABASE_URL, or start the engine on ${dataDir} first\n`);
    return null;
  }
  return {
    url,
    directUrl: database.directUrl ?? url,
    schema: database.namespace,
    poolMax: 2,
    applicationName: 'fanfold-cli',
    use: 'read',
  };
}
