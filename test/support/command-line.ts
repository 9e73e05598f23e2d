import { spawn } from 'node:child_process';
import { appendFileSync, chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { eventually } from './eventually.js';
import { room } from './engine-process.js';

export interface CommandEnd {
  /** The exit code, or the signal that ended it. */
  readonly exit: number | NodeJS.Signals;
  readonly stdout: string;
  readonly stderr: string;
}

/** One call of `fanfold`, in a process group of its own. */
export interface RunningCommand {
  readonly pid: number;
  readonly ended: Promise<CommandEnd>;
  readonly running: () => boolean;
  readonly stderr: () => string;
  /** To the process alone. */
  signal(signal: NodeJS.Signals): void;
}

/** The built `fanfold` in a folder of its own, with the data folder in it. */
export class CommandLine {
  /** Files of a test are here, and it is the folder that commands run in. */
  readonly folder = mkdtempSync(join(room(), 'command-line-'));

  constructor(private readonly env: Readonly<Record<string, string>> = {}) {
    // The database server may run as another user, and keeps its files here only if it can come here.
    for (const path of [room(), this.folder]) chmodSync(path, 0o711);
  }

  get dataDir(): string {
    return join(this.folder, '.fanfold');
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  start(args: readonly string[], input?: string): RunningCommand {
    const program = resolve(process.env.FANFOLD_TEST_DIST ?? 'dist', 'apps/cli/src/main.js');
    const child = spawn(process.execPath, [program, ...args], {
      cwd: this.folder,
      // Nothing of the surrounding shell may configure what is under test.
      env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/', ...this.env },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    appendFileSync(join(room(), 'pids'), `${child.pid}\n`);
    child.stdin.on('error', () => undefined);
    child.stdin.end(input ?? '');
    const told = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => (told.stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (told.stderr += chunk.toString()));
    const ended = new Promise<CommandEnd>((resolve) =>
      child.once('close', (code, signal) => resolve({ exit: code ?? signal ?? 'SIGKILL', ...told })),
    );
    return {
      pid: child.pid!,
      ended,
      running: () => child.exitCode === null && child.signalCode === null,
      stderr: () => told.stderr,
      signal: (signal) => void child.kill(signal),
    };
  }

  run(args: readonly string[], input?: string): Promise<CommandEnd> {
    return this.start(args, input).ended;
  }

  /** The process of the engine on the data folder, where one lives. */
  enginePid(): number | null {
    try {
      const { pid } = JSON.parse(readFileSync(join(this.dataDir, 'engine.lock'), 'utf8')) as { pid: number };
      process.kill(pid, 0);
      return pid;
    } catch {
      return null;
    }
  }

  /** SIGKILL to the engine and its executor; its database server goes on, as it does when an engine is killed. */
  killEngine(): void {
    const pid = this.enginePid();
    if (pid === null) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }

  /** Waits for the end of an engine that has lost its owner, and removes the folder. */
  async close(): Promise<void> {
    const pid = this.enginePid();
    if (pid !== null) process.kill(pid, 'SIGTERM');
    await eventually(() => this.enginePid() === null, { timeoutMs: 40_000 });
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
