import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigProblems } from './config-problems.js';
import { environmentExample } from './environment-example.js';
import { readConfig } from './read-config.js';

const noFile = (path: string): string => {
  throw Object.assign(new Error(path), { code: 'ENOENT' });
};
const database = { DATABASE_URL: 'postgres://u:p@db/x' };
const problemsOf = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    if (error instanceof ConfigProblems) return error.problems;
    throw error;
  }
  return [];
};

describe('configuration', () => {
  it('has the documented defaults', () => {
    const config = readConfig('executor', database, noFile);
    expect(config).toMatchObject({
      database: {
        url: database.DATABASE_URL,
        directUrl: database.DATABASE_URL,
        poolMax: 10,
        namespace: 'fanfold',
        migrate: 'auto',
      },
      bus: { rabbitmqUrl: undefined, namespace: 'fanfold' },
      http: { port: 3002, host: '0.0.0.0', bodyLimitBytes: 16_777_216 },
      process: { shutdownGraceMs: 25_000, logLevel: 'info' },
      executor: {
        slots: 100,
        queues: ['default'],
        leaseMs: 15_000,
        heartbeatMs: 5_000,
        allowShell: false,
        httpAllow: [],
        secrets: {},
      },
    });
    expect(Object.isFrozen(config) && Object.isFrozen(config.executor.queues)).toBe(true);
    expect(readConfig('orchestrator', database, noFile)).toMatchObject({
      http: { port: 3001 },
      flow: {
        spawnLead: 20_000,
        admissionWindow: 5_000,
        backlogThreshold: 1_000,
        pressure: { storageBytes: null, lagMs: 60_000 },
      },
    });
    expect(readConfig('api', { ...database, FANFOLD_API_KEY: 'k' }, noFile)).toMatchObject({
      apiKey: 'k',
      http: { port: 3000 },
    });
  });

  it('takes no lease beyond what timers of a process count, nor one of more than an hour', () => {
    const yearMs = 365 * 86_400_000;
    const hour = { EXECUTOR_LEASE_MS: '3600000', EXECUTOR_HEARTBEAT_MS: '600000' };
    expect(readConfig('executor', { ...database, ...hour }, noFile).executor).toMatchObject({ leaseMs: 3_600_000 });
    const year = { EXECUTOR_LEASE_MS: String(yearMs), EXECUTOR_HEARTBEAT_MS: String(yearMs / 3) };
    const problems = problemsOf(() => readConfig('executor', { ...database, ...year }, noFile));
    expect(problems.map(({ variable }) => variable)).toEqual(['EXECUTOR_LEASE_MS', 'EXECUTOR_HEARTBEAT_MS']);
  });

  it('lists every problem at once, those between variables included', () => {
    const problems = problemsOf(() =>
      readConfig(
        'executor',
        {
          DATABASE_POOL_MAX: 'many',
          PORT: '99999',
          RABBITMQ_URL: 'http://x',
          EXECUTOR_LEASE_MS: '5000',
          EXECUTOR_HEARTBEAT_MS: '4000',
          LOG_LEVEL_FILE: '/missing',
        },
        noFile,
      ),
    );
    expect(problems.map(({ variable }) => variable).sort()).toEqual([
      'DATABASE_POOL_MAX',
      'DATABASE_URL',
      'EXECUTOR_HEARTBEAT_MS',
      'LOG_LEVEL_FILE',
      'PORT',
      'RABBITMQ_URL',
    ]);
    expect(problems.find(({ variable }) => variable === 'DATABASE_URL')?.message).toBe('is required');
  });

  it('never repeats a refused value, which may be a credential', () => {
    const run = () =>
      readConfig('api', { DATABASE_URL: 'mysql://root:hunter2@db', FANFOLD_API_KEY: 'hun ter2' }, noFile);
    expect(run).toThrow(ConfigProblems);
    expect(JSON.stringify(problemsOf(run))).not.toMatch(/hunter2|hun ter2/);
  });

  it('takes an empty variable as unset, ignores unknown ones, and reads NAME_FILE', () => {
    const files: Record<string, string> = { '/run/key': 's3cret\n', '/run/token': 'token' };
    const config = readConfig(
      'standalone',
      {
        PORT: '',
        NOBODY_KNOWS: '1',
        SOME_FILE: '/x',
        FANFOLD_API_KEY_FILE: '/run/key',
        FANFOLD_SECRET_OPS_FILE: '/run/token',
        FANFOLD_SECRET_A: 'b',
      },
      (path) => files[path] ?? noFile(path),
    );
    expect(config).toMatchObject({
      apiKey: 's3cret',
      http: { port: 3000 },
      executor: { secrets: { A: 'b', OPS: 'token' } },
    });
    expect(
      problemsOf(() => readConfig('standalone', { PORT: '1', PORT_FILE: '/run/key' }, (path) => files[path]!)),
    ).toEqual([{ variable: 'PORT_FILE', message: 'set together with PORT; give one of them' }]);
  });

  it('lets standalone run shell nodes only while bound to loopback, and reach loopback', () => {
    expect(readConfig('standalone', {}, noFile)).toMatchObject({
      dataDir: './.fanfold',
      apiKey: undefined,
      executor: { allowShell: true, httpAllow: ['127.0.0.0/8', '::1/128'] },
    });
    expect(readConfig('standalone', {}, noFile).database.url).toBeUndefined();
    expect(readConfig('standalone', { HOST: '0.0.0.0' }, noFile).executor.allowShell).toBe(false);
    expect(
      readConfig('standalone', { HOST: '0.0.0.0', EXECUTOR_ALLOW_SHELL: 'true' }, noFile).executor.allowShell,
    ).toBe(true);
  });

  it('is what .env.example says (UPDATE_EXAMPLE=1 writes it)', () => {
    const path = resolve('.env.example');
    if (process.env.UPDATE_EXAMPLE) writeFileSync(path, environmentExample());
    expect(readFileSync(path, 'utf8')).toBe(environmentExample());
  });
});
