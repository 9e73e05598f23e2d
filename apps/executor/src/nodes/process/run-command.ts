import { spawn, type ChildProcess } from 'node:child_process';
import { outputTooLarge } from '../output-limit.js';
import { AttemptFailure, type Performance } from '../performance.js';
import { LineSplitter } from './line-splitter.js';
import { ProcessGroup } from './process-group.js';

export interface Command {
  /** Program and arguments; no shell reads them. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string | null;
}

export interface CommandEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: Buffer;
  /** The last line of stderr that says something. */
  readonly lastWords: string;
}

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

/**
 * Runs a command as a direct child until it and what it started have ended. Lines of stderr go to the attempt's log.
 * @throws AttemptFailure when it could not be started or wrote too much; the signal's reason when that was aborted
 */
export async function runCommand(command: Command, performance: Performance): Promise<CommandEnd> {
  const { signal, maxOutput } = performance;
  signal.throwIfAborted();
  const child = start(command);
  const group = new ProcessGroup(child);
  const chunks: Buffer[] = [];
  let bytes = 0;
  let lastWords = '';
  const stderr = new LineSplitter((line) => {
    if (line.trim() !== '') lastWords = line.trim();
    performance.log('error', line);
  });
  child.stdout!.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxOutput) chunks.push(chunk);
    else group.kill();
  });
  child.stderr!.on('data', (chunk: Buffer) => stderr.add(chunk));
  // A command that does not read its input has every right not to.
  child.stdin!.on('error', () => undefined);
  child.stdin!.end(command.stdin ?? '');
  const onAbort = (): void => group.end();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const end = await ended(child, command);
    stderr.end();
    signal.throwIfAborted();
    if (bytes > maxOutput) throw outputTooLarge(maxOutput);
    return { ...end, stdout: Buffer.concat(chunks), lastWords };
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function start({ argv, env }: Command): ChildProcess {
  const [program, ...args] = argv;
  try {
    return spawn(program!, args, { env, detached: true, shell: false, stdio: 'pipe', windowsHide: true });
  } catch (error) {
    throw notStarted(error, program!);
  }
}

/** After both the exit and the end of its pipes, so nothing it wrote is missed. */
function ended(
  child: ChildProcess,
  { argv }: Command,
): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
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
