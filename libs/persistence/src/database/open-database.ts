import pg from 'pg';
import { DataSource } from 'typeorm';
import { entities } from '../entities.js';
import { migrations } from '../migrations/index.js';
import { connectionConfig, setTypeParsers, type Database, type DatabaseSettings } from './database.js';
import { statementRunner } from './transaction.js';

/**
 * Opens the pool and the data source. Does not demand that the server answers yet: a process starts while the database
 * is away and says so in its readiness.
 * @param onError called for errors of idle connections, which are replaced by themselves
 */
export async function openDatabase(settings: DatabaseSettings, onError: (error: Error) => void): Promise<Database> {
  setTypeParsers();
  const orm = new DataSource({
    type: 'postgres',
    url: settings.url,
    schema: settings.schema,
    entities,
    migrations,
    migrationsTableName: 'migration',
    poolSize: settings.poolMax,
    applicationName: settings.applicationName,
    poolErrorHandler: onError,
    extra: connectionConfig(settings),
  });
  const pool = new pg.Pool({ ...connectionConfig(settings), max: settings.poolMax });
  pool.on('error', onError);
  // the pool takes its own listener off while a client is in use; one that breaks then must not end the process
  pool.on('connect', (client) => client.on('error', onError));
  return {
    settings,
    pool,
    orm,
    any: statementRunner(pool),
    async close() {
      await Promise.allSettled([pool.end(), orm.isInitialized ? orm.destroy() : undefined]);
    },
  };
}
