import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { eventually } from './eventually.js';

export type Role = 'api' | 'orchestrator' | 'executor' | 'standalone';

/** Where the engines of this run write down their processes and their logs. */
export const room = (): string => {
  const path = process.env.FANFOLD_TEST_ROOM;
  if (!path) throw new Error('there is no room for engines; jest needs test/support/global-setup-e2e.mjs');
  return path;
};

/**
 * One process of an engine under test, known by its pid and its port alone, so that a test file may use one that another
 * file has started. Its output goes to a file.
 */
export class EngineProcess {
  private constructor(
    readonly role: Role,
    readonly name: string,
    readonly port: number,
    private readonly env: Readonly<Record<string, string>>,
    readonly logFile: string,
    public pid: number,
  ) {}

  static async launch(role: Role, name: string, env: Readonly<Record<string, string>>): Promise<EngineProcess> {
    const launched = new EngineProcess(role, name, await freePort(), env, join(room(), `${name}.log`), 0);
    launched.up();
    return launched;
  }

  static from(stored: {
    role: Role;
    name: string;
    port: number;
    env: Record<string, string>;
    logFile: string;
    pid: number;
  }): EngineProcess {
    return new EngineProcess(stored.role, stored.name, stored.port, stored.env, stored.logFile, stored.pid);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get log(): string {
    return existsSync(this.logFile) ? readFileSync(this.logFile, 'utf8') : '';
  }

  /** The most memory it ever had resident, as Linux tells it. */
  get peakRssMb(): number {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))!;
    return Number(kilobytes) / 1_024;
  }

  /** Starts it (again, on the same port). Does not wait until it is ready. */
  up(): this {
    const out = openSync(this.logFile, 'a');
    const child = spawn(
      process.execPath,
      [`${process.env.FANFOLD_TEST_DIST ?? 'dist'}/apps/${this.role}/src/main.js`],
      {
        // Nothing of the surrounding shell may configure a service under test.
        env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/', ...this.env, PORT: String(this.port) },
        detached: true,
        stdio: ['ignore', out, out],
      },
    );
    child.unref();
    this.pid = child.pid!;
    appendFileSync(join(room(), 'pids'), `${this.pid}\n`);
    return this;
  }

  async ready(timeoutMs = 60_000): Promise<this> {
    try {
      await eventually(
        async () => {
          if (!this.running) throw new Error('it has ended');
          return (await fetch(`${this.url}/health/ready`, { signal: AbortSignal.timeout(2_000) })).ok;
        },
        { timeoutMs, everyMs: 50 },
      );
    } catch (cause) {
      throw new Error(`${this.name} is not ready:\n${this.log.slice(-4_000)}`, { cause });
    }
    return this;
  }

  /** False also for one that has ended and that nobody has collected yet. */
  get running(): boolean {
    try {
      process.kill(this.pid, 0);
      return !/^State:\s+Z/m.test(readFileSync(`/proc/${this.pid}/status`, 'utf8'));
    } catch (error) {
      // Without /proc the signal alone decides.
      return (error as NodeJS.ErrnoException).code === 'ENOENT' && !existsSync('/proc/self');
    }
  }

  /** To the process alone, as a system that manages services does. */
  signal(signal: NodeJS.Signals): void {
    try {
      process.kill(this.pid, signal);
    } catch {
      // It has ended.
    }
  }

  /** SIGKILL to the whole group. */
  async kill(): Promise<void> {
    try {
      process.kill(-this.pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
    await this.ended();
  }

  /** SIGTERM, and its orderly end. */
  async stop(timeoutMs = 40_000): Promise<void> {
    this.signal('SIGTERM');
    await this.ended(timeoutMs);
  }

  async ended(timeoutMs = 10_000): Promise<void> {
    await eventually(() => !this.running, { timeoutMs, everyMs: 20 });
  }

  /** Stands still, as a machine that swaps does. */
  freeze(): void {
    process.kill(-this.pid, 'SIGSTOP');
  }

  thaw(): void {
    process.kill(-this.pid, 'SIGCONT');
  }

  toJSON(): object {
    const { role, name, port, env, logFile, pid } = this;
    return { role, name, port, env, logFile, pid };
  }
}

// Below the range of outgoing connections, so that none takes it while a killed process is away.
const freePort = async (): Promise<number> => {
  for (let port = 20_000 + ((process.pid * 131) % 11_000); ; port += 7) {
    if (port > 32_000) port -= 12_000;
    if (taken.has(port)) continue;
    const free = await new Promise<boolean>((resolve) => {
      const server = createServer().once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
    });
    if (!free) continue;
    taken.add(port);
    return port;
  }
};
const taken = new Set<number>();
