import { spawnSync } from 'node:child_process';
import { answers, PrivateRabbit, rabbitProgram } from './private-rabbit.js';

export interface TestRabbit {
  readonly url: string;
  stop(): Promise<void>;
}

const LOCAL = 'amqp://guest:guest@127.0.0.1:5672';

/**
 * A broker for the tests, in the order of what costs least: the one named, a private node of the installed server, one
 * that listens already, an installation where that is possible, a container.
 */
export const startTestRabbit = async (environment: NodeJS.ProcessEnv): Promise<TestRabbit> => {
  if (environment.RABBITMQ_URL) return borrowed(environment.RABBITMQ_URL);
  const installed = rabbitProgram();
  if (installed) return owned(installed);
  if (await answers(5672)) return borrowed(LOCAL);
  const added = installByApt() ? rabbitProgram() : undefined;
  if (added) return owned(added);
  if (startByCompose()) return { url: LOCAL, stop: async () => void compose('stop', 'rabbitmq') };
  throw new Error(
    'The tests need RabbitMQ: set RABBITMQ_URL, or install rabbitmq-server, or run one on 127.0.0.1:5672, or install Docker.',
  );
};

const borrowed = (url: string): TestRabbit => ({ url, stop: async () => undefined });

const owned = async (program: string): Promise<TestRabbit> => {
  const rabbit = await PrivateRabbit.start(program);
  return { url: rabbit.url, stop: () => rabbit.remove() };
};

const installByApt = (): boolean => {
  if (process.getuid?.() !== 0) return false;
  // Without this the package starts a broker of its own, which nobody would stop.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const apt = (...args: string[]) => spawnSync('apt-get', args, { env, stdio: 'ignore' }).status === 0;
  return apt('update') && apt('install', '-y', '--no-install-recommends', 'rabbitmq-server');
};

const compose = (...args: string[]): boolean =>
  spawnSync('docker', ['compose', ...args], { stdio: 'ignore' }).status === 0;

const startByCompose = (): boolean => compose('up', '-d', '--wait', 'rabbitmq');
