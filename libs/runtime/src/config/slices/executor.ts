import { z } from 'zod';
import { list, text, truth, wholeNumber } from '../variable.js';

export const executorVariables = {
  EXECUTOR_SLOTS: wholeNumber(1, 100_000).prefault('100').meta({ description: 'Tasks performed at once.' }),
  EXECUTOR_QUEUES: list(/^[a-z0-9][a-z0-9._-]{0,127}$/, 'queue names')
    .prefault('default')
    .meta({ description: 'Queues served, separated by commas.' }),
  EXECUTOR_LEASE_MS: wholeNumber(500, 3_600_000)
    .prefault('15000')
    .meta({ description: 'An executor that was silent for this long is lost.' }),
  EXECUTOR_HEARTBEAT_MS: wholeNumber(100, 600_000)
    .prefault('5000')
    .meta({ description: 'Time between two heartbeats; at most half the lease.' }),
  EXECUTOR_ALLOW_SHELL: truth().optional().meta({
    description: 'SHELL and SCRIPT nodes may run.',
    fallback: 'false; standalone: true when bound to loopback',
  }),
  EXECUTOR_HTTP_ALLOW: list(/^[A-Za-z0-9.:*_/[\]-]+$/, 'CIDRs or hosts')
    .optional()
    .meta({
      description: 'CIDRs or hosts, private ones included, that HTTP nodes may reach.',
      fallback: 'public addresses only; standalone: plus loopback',
    }),
  FANFOLD_HANDLERS: list(/\S/, 'modules')
    .optional()
    .meta({ description: 'Modules that register handlers, separated by commas.' }),
  FANFOLD_SECRETS_DIR: text()
    .optional()
    .meta({ description: 'Folder with one file per secret; FANFOLD_SECRET_<NAME> gives a single one.' }),
};

/** What an executor performs, and what it may touch. */
export interface ExecutorConfig {
  readonly slots: number;
  readonly queues: readonly string[];
  readonly leaseMs: number;
  readonly heartbeatMs: number;
  readonly allowShell: boolean;
  /** CIDRs and hosts allowed besides public addresses. */
  readonly httpAllow: readonly string[];
  readonly handlers: readonly string[];
  readonly secretsDir: string | undefined;
  /** Values of FANFOLD_SECRET_<NAME>, by NAME. */
  readonly secrets: Readonly<Record<string, string>>;
}

const schema = z.object(executorVariables);

export interface ExecutorDefaults {
  readonly allowShell: boolean;
  readonly httpAllow: readonly string[];
}

export const executorConfig = (
  values: z.output<typeof schema>,
  defaults: ExecutorDefaults,
  secrets: Readonly<Record<string, string>>,
): ExecutorConfig => ({
  slots: values.EXECUTOR_SLOTS,
  queues: [...new Set(values.EXECUTOR_QUEUES)],
  leaseMs: values.EXECUTOR_LEASE_MS,
  heartbeatMs: values.EXECUTOR_HEARTBEAT_MS,
  allowShell: values.EXECUTOR_ALLOW_SHELL ?? defaults.allowShell,
  httpAllow: values.EXECUTOR_HTTP_ALLOW ?? defaults.httpAllow,
  handlers: values.FANFOLD_HANDLERS ?? [],
  secretsDir: values.FANFOLD_SECRETS_DIR,
  secrets,
});

/** Half the lease at most: two beats may go missing before the trust window of two thirds has passed. */
export const heartbeatUnderLease = (values: { EXECUTOR_LEASE_MS: number; EXECUTOR_HEARTBEAT_MS: number }): boolean =>
  values.EXECUTOR_HEARTBEAT_MS * 2 <= values.EXECUTOR_LEASE_MS;
