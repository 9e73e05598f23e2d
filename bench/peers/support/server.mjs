// A server of a peer's own: on a port that is free, in a folder that is thrown away, ended by its pid.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const READY_TIMEOUT_MS = 60_000;

export const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Starts it and waits until `isReady()` holds. @returns a function that ends it */
export const startServer = async (program, args, { room, env = {}, isReady }) => {
  const log = join(room, 'server.log');
  const out = openSync(log, 'a');
  const child = spawn(program, args, {
    cwd: room,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', out, out],
  });
  let failed;
  child.once('error', (error) => (failed = error));
  // Before its folder is removed, or it would write there again.
  process.prependOnceListener('exit', () => child.kill('SIGKILL'));
  const giveUpAt = performance.now() + READY_TIMEOUT_MS;
  while (!(await isReady().catch(() => false))) {
    if (failed) throw failed;
    if (child.exitCode !== null || performance.now() > giveUpAt)
      throw new Error(`${program} is not ready: ${readFileSync(log, 'utf8').slice(-2_000)}`);
    await sleep(50);
  }
  return () => child.kill('SIGKILL');
};
