import { randomBytes } from 'node:crypto';
import { PrivateRabbit, rabbitProgram } from './servers/private-rabbit.js';

export { PrivateRabbit };

/** The broker of this test run. */
export const testRabbitUrl = (): string => {
  const url = process.env.FANFOLD_TEST_RABBITMQ_URL;
  if (!url) throw new Error('there is no test RabbitMQ; jest needs test/support/global-setup.mjs');
  return url;
};

/** A namespace that nobody else uses: suites share the broker and never meet. */
export const freshNamespace = (): string => `t${randomBytes(6).toString('hex')}`;

/** A broker that one suite may stop, kill and alarm; undefined where no server is installed. */
export const startOwnRabbit = async (): Promise<PrivateRabbit | undefined> => {
  const program = rabbitProgram();
  return program ? PrivateRabbit.start(program) : undefined;
};
