import { readdirSync, readFileSync } from 'node:fs';
import { eventually } from '../support/eventually.js';
import { inModes } from '../support/in-every-mode.js';

/** Executors that are alive, by their parent. */
const executorsOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const isExecutor = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('apps/executor/');
        return isExecutor && Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) === parent;
      } catch {
        return false;
      }
    });

const isAlive = (pid: number): boolean => {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

inModes(
  ['standalone'],
  'an executor of a standalone engine',
  (stage) => {
    it('ends when the engine is killed, also while it starts', async () => {
      const [engine] = stage.engine.named('standalone');
      for (let life = 0; life < 3; life++) {
        const executors = await eventually(() => {
          const found = executorsOf(engine!.pid);
          return found.length > 0 && found;
        });
        // Alone: what it has started is not told.
        process.kill(engine!.pid, 'SIGKILL');
        await engine!.ended();
        await eventually(() => expect((executors as number[]).filter(isAlive)).toEqual([]), { timeoutMs: 30_000 });
        engine!.up();
        // The second time it is killed as soon as it has one.
        if (life !== 0) await engine!.ready();
      }
    });
  },
  async () => ({ env: { SHUTDOWN_GRACE_MS: '3000' } }),
);
