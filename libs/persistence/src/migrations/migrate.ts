import pg from 'pg';
import { DataSource } from 'typeorm';
import { connectionConfig, type DatabaseSettings } from '../database/database.js';
import { migrations } from './index.js';

/** Brings the schema up to date. Safe when several processes start at once: an advisory lock lets one through. */
export async function migrate(settings: DatabaseSettings): Promise<number> {
  const url = settings.directUrl ?? settings.url;
  const client = new pg.Client({
    ...connectionConfig(settings, url),
    lock_timeout: 60_000,
    statement_timeout: 0,
    query_timeout: 0,
    idle_in_transaction_session_timeout: 0,
  });
  await client.connect();
  try {
    await client.query(`select pg_advisory_lock(hashtextextended($1, 0))`, [`fanfold-migrate-${settings.schema}`]);
    await client.query(`create schema if not exists ${settings.schema}`);
    const orm = migrationSource(settings, url);
    await orm.initialize();
    try {
      return (await orm.runMigrations({ transaction: 'all' })).length;
    } finally {
      await orm.destroy();
    }
  } finally {
    await client.end();
  }
}

/** True when every migration this build knows has run. */
export async function isCurrent(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ known: string | null }>(`select to_regclass('migration')::text known`);
  if (!rows[0]?.known) return false;
  const done = await pool.query<{ name: string }>('select name from migration');
  const names = new Set(done.rows.map((r) => r.name));
  return migrations.every((m) => names.has(new m().name));
}

function migrationSource(settings: DatabaseSettings, url: string): DataSource {
  return new DataSource({
    type: 'postgres',
    url,
    schema: settings.schema,
    migrations,
    migrationsTableName: 'migration',
    extra: { ...connectionConfig(settings, url), statement_timeout: 0, query_timeout: 0, max: 1 },
  });
}
