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
  const keyedMax = settings.use === 'read' ? Math.max(1, Math.floor(settings.poolMax / 2)) : 0;
  const pool = openPool(settings, Math.max(1, settings.poolMax - keyedMax), onError);
  const keyed = keyedMax > 0 ? openPool({ ...settings, use: 'path' }, keyedMax, onError) : pool;
  return {
    settings,
    pool,
    orm,
    any: statementRunner(pool),
    byKey: statementRunner(keyed),
    async close() {
      const pools = [...new Set([pool, keyed])].map((one) => one.end());
      await Promise.allSettled([...pools, orm.isInitialized ? orm.destroy() : undefined]);
    },
  };
}

// A new connection has nothing prepared and no catalog in memory: what it is asked first takes some ten times as long.
const idleTimeoutMillis = 300_000;

function openPool(settings: DatabaseSettings, max: number, onError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({ ...connectionConfig(settings), idleTimeoutMillis, max });
  pool.on('error', onError);
  // the pool takes its own listener off while a client is in use; one that breaks then must not end the process
  pool.on('connect', (client) => client.on('error', onError));
  return pool;
}
