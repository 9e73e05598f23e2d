// Started once per run of jest: both servers, at the same time. Tests find them by FANFOLD_TEST_DATABASE_URL and
// FANFOLD_TEST_RABBITMQ_URL. FANFOLD_TEST_NEEDS names what is needed ("postgres", "rabbitmq", "postgres,rabbitmq"; "none"
// skips all); without it, what the chosen test files need is guessed from their paths.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from './compiled.mjs';

export default async function globalSetup(config) {
  const needs = needed(config);
  // Ended by a signal, a process runs no exit handlers of its own accord; the servers would stay.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));
  const started = await Promise.allSettled([
    needs.has('postgres') && !process.env.FANFOLD_TEST_DATABASE_URL ? postgres() : undefined,
    needs.has('rabbitmq') && !process.env.FANFOLD_TEST_RABBITMQ_URL ? rabbitmq() : undefined,
  ]);
  globalThis.fanfoldTestServers = started.map(({ value }) => value).filter(Boolean);
  const failed = started.find(({ status }) => status === 'rejected');
  if (!failed) return;
  await Promise.all(globalThis.fanfoldTestServers.map((server) => server.stop()));
  throw failed.reason;
}

const needed = (config) => {
  const said = process.env.FANFOLD_TEST_NEEDS;
  if (said !== undefined) return new Set(said.split(','));
  const patterns = config?.testPathPatterns?.patterns ?? [];
  const unitOnly =
    patterns.length > 0 && patterns.every((pattern) => /^(\.\/)?(libs|apps|test\/architecture)\b/.test(pattern));
  return new Set(unitOnly ? [] : ['postgres', 'rabbitmq']);
};

const postgres = async () => {
  const { startEmbeddedPostgres } = await load('apps/standalone/src/embedded', 'index.js');
  const dataDir = mkdtempSync(join(tmpdir(), 'fanfold-test-postgres-'));
  const server = await startEmbeddedPostgres({
    dataDir,
    durable: false,
    newPassword: () => randomBytes(16).toString('hex'),
  });
  process.env.FANFOLD_TEST_DATABASE_URL = server.url;
  // A run that is broken off ends without its teardown.
  const abandon = () => {
    process.kill(server.pid, 'SIGQUIT');
    rmSync(dataDir, { recursive: true, force: true });
  };
  process.once('exit', abandon);
  return {
    stop: async () => {
      process.off('exit', abandon);
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};

const rabbitmq = async () => {
  const { startTestRabbit } = await load('test/support/servers', 'rabbit.js');
  const rabbit = await startTestRabbit(process.env);
  process.env.FANFOLD_TEST_RABBITMQ_URL = rabbit.url;
  return rabbit;
};
