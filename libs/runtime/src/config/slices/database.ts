import { address, wholeNumber } from '../variable.js';
import { z } from 'zod';

export const databaseVariables = {
  DATABASE_URL: address('postgres', 'postgresql').meta({
    description: 'Postgres 15 or newer. Standalone brings its own when this is unset.',
  }),
  DATABASE_DIRECT_URL: address('postgres', 'postgresql').optional().meta({
    description: 'For LISTEN and migrations, where DATABASE_URL is a transaction pooler.',
    fallback: 'DATABASE_URL',
  }),
  DATABASE_POOL_MAX: wholeNumber(1, 1_000).prefault('10').meta({ description: 'Database connections of a process.' }),
  FANFOLD_NAMESPACE: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,30}$/, 'must match [a-z][a-z0-9_]{0,30}')
    .refine((value) => !value.startsWith('pg_'), 'must not start with pg_, which Postgres keeps for itself')
    .prefault('fanfold')
    .meta({ description: 'The Postgres schema and the prefix of queues; two namespaces never meet.' }),
  FANFOLD_MIGRATE: z.enum(['auto', 'off'], 'must be auto or off').prefault('auto').meta({
    description: 'With off, services wait, unready, until the schema is current.',
  }),
};

/** Where the truth is. */
export interface DatabaseConfig {
  readonly url: string;
  /** For LISTEN and migrations, past a transaction pooler. */
  readonly directUrl: string;
  readonly poolMax: number;
  readonly namespace: string;
  readonly migrate: 'auto' | 'off';
}

const schema = z.object(databaseVariables);

export const databaseConfig = (values: z.output<typeof schema>): DatabaseConfig => ({
  url: values.DATABASE_URL,
  directUrl: values.DATABASE_DIRECT_URL ?? values.DATABASE_URL,
  poolMax: values.DATABASE_POOL_MAX,
  namespace: values.FANFOLD_NAMESPACE,
  migrate: values.FANFOLD_MIGRATE,
});
