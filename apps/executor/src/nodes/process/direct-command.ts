import { spawn, type ChildProcess } from 'node:child_process';
import { AttemptFailure } from '../performance.js';
import { ProcessGroup } from './process-group.js';
import type { Command, ProcessEnd, StartedCommand } from './started-command.js';

const neverThere = new Set([
  'ENOENT',
  'EACCES',
  'ENOTDIR',
  'EISDIR',
  'ELOOP',
  'ENOEXEC',
  'E2BIG',
  'ERR_INVALID_ARG_VALUE',
  'EPERM',
  'ENAMETOOLONG',
]);

/** Starts a command as a child of this process. @throws AttemptFailure where it could not be started */
export function startDirectly(command: Command): StartedCommand {
  const child = start(command);
  const group = new ProcessGroup(child);
  // A command that does not read its input has every right not to.
  child.stdin!.on('error', () => undefined);
  child.stdin!.end(command.stdin ?? '');
  return {
    stdout: child.stdout!,
    stderr: child.stderr!,
    ended: ended(child, command),
    end: () => group.end(),
    kill: () => group.kill(),
  };
}

function start({ argv, env }: Command): ChildProcess {
  const [program, ...args] = argv;
  try {
    return spawn(program!, args, { env, detached: true, shell: false, stdio: 'pipe', windowsHide: true });
  } catch (error) {
    throw notStarted(error, program!);
  }
}

function ended(child: ChildProcess, { argv }: Command): Promise<ProcessEnd> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      if (child.pid === undefined) reject(notStarted(error, argv[0]!));
    });
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
}

function notStarted(error: unknown, program: string): AttemptFailure {
  const code = (error as { code?: string }).code ?? 'unknown';
  const failureClass = neverThere.has(code) ? 'PERMANENT' : 'TRANSIENT';
  return new AttemptFailure(
    failureClass,
    'SHELL.NOT_STARTED',
    `"${program.slice(0, 200)}" could not be started (${code})`,
  );
}
