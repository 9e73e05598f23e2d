import { spawn } from 'node:child_process';

/**
 * Runs a program of node to its end, and ends whatever it left running: in time, or with us.
 * @returns its exit code, and what it printed on each stream
 */
export const runProgram = async (program, args, { env, cwd, timeoutMs }) => {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const end = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // All have ended.
    }
  };
  process.once('exit', end);
  const timer = setTimeout(end, timeoutMs);
  let printed = '';
  let told = '';
  child.stdout.on('data', (chunk) => (printed += chunk));
  child.stderr.on('data', (chunk) => (told = (told + chunk).slice(-2_000)));
  const code = await new Promise((ended) => child.once('close', ended));
  clearTimeout(timer);
  process.off('exit', end);
  end();
  return { code, lastLine: printed.trim().split('\n').at(-1), told };
};
