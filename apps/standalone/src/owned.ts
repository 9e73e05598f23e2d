/**
 * An engine that belongs to the process that forked it. It tells that process over their channel where it is, performs
 * nothing until it is told to, and ends when the channel does: what runs by then ends within the grace, and what is open
 * stays in the data folder for the next one.
 *
 * Server and executor are started while the rest is still being read: they are other processes, and all of them take about as long.
 */
import 'reflect-metadata';
import { SystemRandom } from '@app/runtime/random/system-random.js';
import { startEmbeddedPostgres } from './embedded/index.js';
import { forkExecutor, type ForkedExecutor } from './forked-executor.js';

const tell = (message: object): Promise<void> =>
  new Promise((resolve) => {
    if (process.connected) process.send!(message, () => resolve());
    else resolve();
  });
const told = new Promise<void>((resolve) => {
  process.once('message', () => resolve());
  process.once('disconnect', () => resolve());
});

let executor: ForkedExecutor | null = null;
try {
  const embedded = startEmbeddedPostgres({
    // The folder of the configuration, which is read only once the server is on its way.
    dataDir: process.argv[2]!,
    newPassword: () => new SystemRandom().bytes(18).toString('hex'),
    // Not before: one that finds the folder taken is not to start anything.
    onLocked: () => void (executor = forkExecutor(1)),
  });
  const engine = Promise.all([import('@app/runtime'), import('./engine.js')]);
  // Whoever fails first is told; the other must not be an unhandled rejection.
  engine.catch(() => undefined);
  await embedded;
  const [{ loadConfig }, { startEngine }] = await engine;
  await startEngine(loadConfig('standalone'), {
    embedded,
    executor,
    beforeWork: async ({ url, apiKey }) => {
      await tell({ kind: 'up', url, apiKey });
      await told;
    },
  });
} catch (error) {
  const { code, message, stack } = error as { code?: string; message: string; stack?: string };
  if (code !== 'DATA_FOLDER.IN_USE') process.stderr.write(`${stack}\n`);
  await tell({ kind: 'refused', code: code ?? 'UNKNOWN', message });
  process.exit(1);
}
