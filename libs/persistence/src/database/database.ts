import type { DataSource } from 'typeorm';
import pg from 'pg';

/**
 * A connection inside one transaction (or the pool itself for single statements). Every store method takes one as its
 * explicit first argument.
 */
export interface Tx {
  query<Row extends pg.QueryResultRow = pg.QueryResultRow>(
    statement: Statement,
    values?: readonly unknown[],
  ): Promise<pg.QueryResult<Row>>;
}

/** One SQL statement with a name of its own: prepared once per connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export interface DatabaseSettings {
  readonly url: string;
  /** Where LISTEN and migrations go when `url` is a transaction pooler. */
  readonly directUrl?: string;
  readonly schema: string;
  readonly poolMax: number;
  readonly applicationName: string;
  /** `path`: the moves of children. `read`: everything else. */
  readonly use: 'path' | 'read';
  /** Statements may take as long as they take: checks and migrations, never a service. */
  readonly patient?: boolean;
}

/** The pool for hot paths and the TypeORM data source for plain reads, both on the same server and schema. */
export interface Database {
  readonly settings: DatabaseSettings;
  readonly pool: pg.Pool;
  readonly orm: DataSource;
  /** Runs one named statement on any connection. */
  readonly any: Tx;
  /** The same for statements that look up few rows by their keys, and are asked often: their plans are kept. */
  readonly byKey: Tx;
  /** True once the schema is current; statements before that fail. */
  close(): Promise<void>;
}

/**
 * Plans of named statements are kept, and the first ones are made while tables are empty and every plan looks cheap; one that
 * scans would be kept while the tables grow by the million. On the path of a child every join is a look-up by
 * primary key, so nothing else is left to choose from, and nothing that a parameter could tell the planner. Other statements are planned anew
 * each time.
 */
const planning = {
  path:
    '-c plan_cache_mode=force_generic_plan' +
    ' -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c random_page_cost=1.1',
  read: '-c plan_cache_mode=force_custom_plan',
} as const;

/**
 * Settings of every connection: a frozen process must not hold a row for ever, and a dead peer must be noticed.
 */
export function connectionConfig(settings: DatabaseSettings, url = settings.url): pg.PoolConfig {
  return {
    connectionString: url,
    application_name: settings.applicationName,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    idle_in_transaction_session_timeout: 5_000,
    lock_timeout: 5_000,
    statement_timeout: settings.patient ? 0 : 30_000,
    // the server's time-outs say nothing over a connection that went silent
    query_timeout: settings.patient ? 0 : settings.use === 'path' ? 10_000 : 35_000,
    options: `-c search_path=${settings.schema} -c timezone=UTC -c jit=off ${planning[settings.use]}`,
  };
}

/** Parses and types of a client as Fanfold wants them: bigint as number (our counters stay below 2^53). */
export function setTypeParsers(): void {
  pg.types.setTypeParser(pg.types.builtins.INT8, (text) => Number(text));
}
