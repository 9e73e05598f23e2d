import { spawn, type ChildProcess } from 'node:child_process';
import { eventually } from './eventually.js';

export interface ServiceOptions {
  /** Folder under `apps/`, run as built, or a path of a module to run. */
  readonly app: string;
  readonly env: Readonly<Record<string, string>>;
  /** Asked until it answers 200. Default: `/health/ready` on PORT of `env`. Null: not waited for. */
  readonly readyUrl?: string | null;
  readonly readyTimeoutMs?: number;
}

/** A built service in a process group of its own, as an operator would run it. */
export class Service {
  private output = '';
  private readonly ended: Promise<number | NodeJS.Signals>;

  private constructor(
    private readonly child: ChildProcess,
    readonly app: string,
  ) {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.output = (this.output + chunk.toString()).slice(-2_000_000)));
    this.ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal ?? 'SIGKILL')));
  }

  /** Started and ready; what it wrote is in the error if it never is. */
  static async start({ app, env, readyUrl, readyTimeoutMs = 30_000 }: ServiceOptions): Promise<Service> {
    const module = app.endsWith('.js') || app.endsWith('.mjs') ? app : `dist/apps/${app}/src/main.js`;
    const child = spawn(process.execPath, [module], {
      // Nothing of the surrounding shell may configure a service under test.
      env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/', ...env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const service = new Service(child, app);
    const url = readyUrl === undefined ? `http://127.0.0.1:${env.PORT}/health/ready` : readyUrl;
    if (url !== null)
      try {
        await eventually(async () => service.running && (await fetch(url)).ok, { timeoutMs: readyTimeoutMs });
      } catch (cause) {
        await service.kill();
        throw new Error(`${app} was not ready:\n${service.log.slice(-8_000)}`, { cause });
      }
    return service;
  }

  get pid(): number {
    return this.child.pid!;
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Everything it wrote so far, the last two megabytes at most. */
  get log(): string {
    return this.output;
  }

  /** The exit code, or the signal that ended it. */
  exit(): Promise<number | NodeJS.Signals> {
    return this.ended;
  }

  /** SIGTERM to the process alone, as an orchestrating system does; resolves with how it ended. */
  stop(): Promise<number | NodeJS.Signals> {
    if (this.running) this.child.kill('SIGTERM');
    return this.ended;
  }

  /** SIGKILL to the whole group. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.ended;
  }

  /** Stands still, as a machine that swaps does; `resume` lets it go on. */
  freeze(): void {
    this.signal('SIGSTOP');
  }

  resume(): void {
    this.signal('SIGCONT');
  }

  private signal(signal: NodeJS.Signals): void {
    try {
      process.kill(-this.pid, signal);
    } catch {
      // The group has ended.
    }
  }
}
