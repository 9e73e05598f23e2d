import { z } from 'zod';
import { accessVariables, requiredAccessVariables } from './slices/access.js';
import { busConfig, busVariables, type BusConfig } from './slices/bus.js';
import { databaseConfig, databaseVariables, type DatabaseConfig } from './slices/database.js';
import { executorConfig, executorVariables, heartbeatUnderLease, type ExecutorConfig } from './slices/executor.js';
import { flowConfig, flowVariables, windowVariables, type FlowConfig } from './slices/flow.js';
import { httpConfig, httpVariables, isLoopback, type HttpConfig } from './slices/http.js';
import { processConfig, processVariables, type ProcessConfig } from './slices/process.js';
import { text } from './variable.js';

/** The parts every kind of process has. */
export interface ServiceConfig {
  readonly database: DatabaseConfig;
  readonly bus: BusConfig;
  readonly http: HttpConfig;
  readonly process: ProcessConfig;
}
export interface ApiConfig extends ServiceConfig {
  readonly flow: Pick<FlowConfig, 'admissionWindow'>;
  readonly apiKey: string;
}
export interface OrchestratorConfig extends ServiceConfig {
  readonly flow: FlowConfig;
}
export interface ExecutorServiceConfig extends ServiceConfig {
  readonly executor: ExecutorConfig;
}
export interface StandaloneConfig extends Omit<ServiceConfig, 'database'> {
  /** Without `url`: the embedded server, whose address is known once it runs. */
  readonly database: Omit<DatabaseConfig, 'url' | 'directUrl'> & Partial<Pick<DatabaseConfig, 'url' | 'directUrl'>>;
  readonly flow: FlowConfig;
  readonly executor: ExecutorConfig;
  /** Unset: generated once and kept in the data folder. */
  readonly apiKey: string | undefined;
  readonly dataDir: string;
}

export interface ConfigByKind {
  readonly api: ApiConfig;
  readonly orchestrator: OrchestratorConfig;
  readonly executor: ExecutorServiceConfig;
  readonly standalone: StandaloneConfig;
}
export type ProcessKind = keyof ConfigByKind;

type Secrets = Readonly<Record<string, string>>;
const shared = { ...databaseVariables, ...busVariables, ...processVariables };

const apiSchema = z.object({
  ...shared,
  ...httpVariables(3000, '0.0.0.0'),
  ...requiredAccessVariables,
  ...windowVariables,
});
const orchestratorSchema = z.object({ ...shared, ...httpVariables(3001, '0.0.0.0'), ...flowVariables });
const executorSchema = z.object({ ...shared, ...httpVariables(3002, '0.0.0.0'), ...executorVariables });
const standaloneSchema = z.object({
  ...shared,
  DATABASE_URL: databaseVariables.DATABASE_URL.optional(),
  ...httpVariables(3000, '127.0.0.1'),
  ...flowVariables,
  ...executorVariables,
  ...accessVariables,
  FANFOLD_DATA_DIR: text().prefault('./.fanfold').meta({ description: 'Data folder of the standalone engine.' }),
});

const underLease = {
  path: ['EXECUTOR_HEARTBEAT_MS'],
  message: 'must be at most half of EXECUTOR_LEASE_MS',
  // Judged together with everything else, but only when both numbers can be read.
  when: ({ issues }: { issues: readonly { path?: readonly PropertyKey[] }[] }) =>
    !issues.some(({ path }) => path?.[0] === 'EXECUTOR_LEASE_MS' || path?.[0] === 'EXECUTOR_HEARTBEAT_MS'),
};

const service = (
  values: Parameters<typeof databaseConfig>[0] & Parameters<typeof httpConfig>[0] & Parameters<typeof processConfig>[0],
): ServiceConfig => ({
  database: databaseConfig(values),
  bus: busConfig(values),
  http: httpConfig(values),
  process: processConfig(values),
});

/** The schema of each kind of process, and the shapes the variables of a kind come from. */
export const processKinds = {
  api: {
    variables: apiSchema.shape,
    schema: () =>
      apiSchema.transform((values): ApiConfig => ({
        ...service(values),
        apiKey: values.FANFOLD_API_KEY,
        flow: { admissionWindow: values.ADMISSION_WINDOW },
      })),
  },
  orchestrator: {
    variables: orchestratorSchema.shape,
    schema: () =>
      orchestratorSchema.transform((values): OrchestratorConfig => ({ ...service(values), flow: flowConfig(values) })),
  },
  executor: {
    variables: executorSchema.shape,
    schema: (secrets: Secrets) =>
      executorSchema.refine(heartbeatUnderLease, underLease).transform((values): ExecutorServiceConfig => ({
        ...service(values),
        executor: executorConfig(values, { allowShell: false, httpAllow: [] }, secrets),
      })),
  },
  standalone: {
    variables: standaloneSchema.shape,
    schema: (secrets: Secrets) =>
      standaloneSchema.refine(heartbeatUnderLease, underLease).transform((values): StandaloneConfig => {
        const { database, ...rest } = service({ ...values, DATABASE_URL: values.DATABASE_URL ?? '' });
        const { url, directUrl, ...embedded } = database;
        const defaults = { allowShell: isLoopback(values.HOST), httpAllow: ['127.0.0.0/8', '::1/128'] };
        return {
          ...rest,
          database: url === '' ? embedded : { ...embedded, url, directUrl },
          flow: flowConfig(values),
          executor: executorConfig(values, defaults, secrets),
          apiKey: values.FANFOLD_API_KEY,
          dataDir: values.FANFOLD_DATA_DIR,
        };
      }),
  },
} satisfies Record<
  ProcessKind,
  { variables: Readonly<Record<string, z.ZodType>>; schema: (secrets: Secrets) => z.ZodType }
>;
