import { fork, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environmentWith } from '../environment.js';
import { CommandFailed } from '../usage-error.js';
import type { Address } from './engine-client.js';

const program = fileURLToPath(new URL('../../../standalone/src/owned.js', import.meta.url));

/** Another engine lives on the data folder, or is about to end there. */
export class DataFolderTaken extends Error {}

type Told = { kind: 'up'; url: string; apiKey: string } | { kind: 'refused'; code: string; message: string };

export interface OwnEngineOptions {
  readonly dataDir: string;
  /** Further variables, as the addresses that calls may reach. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * An engine on the embedded server that lives as long as this process: a child in a process group of its own, so that
 * Ctrl-C reaches only us, that drains and ends when its channel to us closes, however we die. It performs nothing until it
 * is told to {@link begin}.
 */
export class OwnEngine {
  private constructor(
    readonly address: Address,
    private readonly child: ChildProcess,
    private readonly ended: Promise<void>,
  ) {}

  /** @throws DataFolderTaken, CommandFailed with the end of the engine's log */
  static async start({ dataDir, environment }: OwnEngineOptions): Promise<OwnEngine> {
    mkdirSync(dataDir, { recursive: true });
    const log = join(dataDir, 'engine.log');
    const output = openSync(log, 'w', 0o600);
    const child = fork(program, [dataDir], {
      detached: true,
      stdio: ['ignore', output, output, 'ipc'],
      env: environmentWith({
        ...environment,
        PORT: '0',
        HOST: '127.0.0.1',
        FANFOLD_DATA_DIR: dataDir,
        LOG_LEVEL: 'warn',
        // Each connection is a process of the server's, and takes as long to start as ten rows.
        DATABASE_POOL_MAX: '5',
        // What is set for other engines is not meant for this one.
        FANFOLD_PUBLIC_URL: undefined,
        FANFOLD_MIGRATE: undefined,
        DATABASE_URL: undefined,
        DATABASE_DIRECT_URL: undefined,
        RABBITMQ_URL: undefined,
        EXECUTOR_QUEUES: undefined,
      }),
    });
    closeSync(output);
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const told = await new Promise<Told | null>((resolve, reject) => {
      child.once('message', (message) => resolve(message as Told));
      child.once('error', reject);
      void ended.then(() => resolve(null));
    });
    if (told?.kind === 'up') return new OwnEngine({ url: told.url, apiKey: told.apiKey }, child, ended);
    await ended;
    if (told?.code === 'DATA_FOLDER.IN_USE') throw new DataFolderTaken(told.message);
    throw new CommandFailed(`the engine did not start: ${told?.message ?? tail(log)}\nIts log is ${log}`);
  }

  /** From now on it performs what is open. */
  begin(): void {
    if (this.child.connected) this.child.send({ kind: 'begin' });
  }

  get pid(): number {
    return this.child.pid!;
  }

  get lives(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Lets what runs end, within the grace of the engine. */
  async stop(): Promise<void> {
    if (this.lives) this.child.kill('SIGTERM');
    await this.ended;
  }

  /** At once, with all that it started. */
  kill(): void {
    try {
      process.kill(-this.pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}

const tail = (file: string): string => readFileSync(file, 'utf8').trim().split('\n').slice(-5).join('\n');
