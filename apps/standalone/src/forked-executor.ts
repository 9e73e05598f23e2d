import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../executor/src/main.js', import.meta.url));

/** An executor in a process of its own, by the name it has with the engine. It reads its program, and waits to be told the rest. */
export interface ForkedExecutor {
  readonly name: string;
  readonly child: ChildProcess;
}

/**
 * Starts one. It is told its configuration with `{ kind: 'environment', values }` and to take work with `{ kind: 'begin' }`, and ends
 * with the channel.
 * @param count from 1, of those that this process has started
 */
export function forkExecutor(count: number): ForkedExecutor {
  const name = `standalone:${process.pid}:${count}`;
  const child = fork(program, [name, 'when-told'], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  child.on('error', () => undefined);
  return { name, child };
}
