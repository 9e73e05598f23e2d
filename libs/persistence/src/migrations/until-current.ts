import { sleep, type HealthIndicator, type Logger } from '@app/runtime';
import type { Database } from '../database/database.js';
import { isCurrent, migrate } from './migrate.js';

/**
 * Resolves when the schema is current: migrates where that is wanted, else waits for somebody else to do it. A database that
 * is away is waited for.
 */
export async function untilCurrent(
  database: Database,
  mode: 'auto' | 'off',
  stop: AbortSignal,
  logger: Logger,
): Promise<void> {
  for (let pause = 200, told = false; !stop.aborted; pause = Math.min(2_000, pause * 2)) {
    try {
      // A schema that is current is not migrated: that takes connections of its own.
      if (await isCurrent(database.pool)) return;
      if (mode === 'auto') {
        await migrate(database.settings);
        continue;
      }
      if (!told) logger.warn({}, 'waiting for the schema to be migrated');
      told = true;
    } catch (error) {
      logger.warn({ err: error }, 'the database cannot be reached yet');
    }
    await sleep(pause, stop);
  }
}

/** Up while Postgres answers and the schema is current. */
export function schemaHealth(database: Database): HealthIndicator {
  let current = false;
  return {
    name: 'database',
    check: async () => {
      if (current) await database.pool.query('select 1');
      else current = await isCurrent(database.pool);
      return current ? { status: 'up' } : { status: 'down', detail: 'the schema is not current' };
    },
  };
}
