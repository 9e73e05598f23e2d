import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

// Debian's wrapper in the PATH insists on its own user; the script behind it runs as anybody, given private folders.
const PLACES = ['/usr/lib/rabbitmq/bin', '/opt/homebrew/sbin', '/usr/local/sbin', '/opt/homebrew/opt/rabbitmq/sbin'];
const READY_TIMEOUT_MS = 90_000;

/** The installed server, if there is one. */
export const rabbitProgram = (): string | undefined =>
  [...PLACES, ...(process.env.PATH ?? '').split(delimiter).filter((place) => !/^\/usr\/s?bin$/.test(place))]
    .map((place) => join(place, 'rabbitmq-server'))
    .find((program) => existsSync(program));

/** A broker of our own: private folders, private ports, and a private port mapper. */
export class PrivateRabbit {
  private child: ChildProcess | undefined;

  private constructor(
    private readonly program: string,
    private readonly home: string,
    private readonly environment: Record<string, string>,
    readonly port: number,
  ) {}

  /** A running one. */
  static async start(program: string): Promise<PrivateRabbit> {
    const home = mkdtempSync(join(tmpdir(), 'fanfold-rabbit-'));
    const [port, distributionPort, mapperPort] = await freePorts(3);
    mkdirSync(join(home, 'mnesia'));
    writeFileSync(
      join(home, 'rabbitmq.conf'),
      [
        `listeners.tcp.1 = 127.0.0.1:${port}`,
        'vm_memory_high_watermark.absolute = 1GB',
        'disk_free_limit.absolute = 50MB',
        'log.console = false',
        'log.file.level = warning',
        '',
      ].join('\n'),
    );
    writeFileSync(join(home, 'enabled_plugins'), '[].\n');
    const rabbit = new PrivateRabbit(
      program,
      home,
      {
        PATH: process.env.PATH ?? '/usr/bin:/bin',
        HOME: home,
        LANG: 'C.UTF-8',
        RABBITMQ_NODENAME: `fanfold${port}@localhost`,
        RABBITMQ_CONFIG_FILE: join(home, 'rabbitmq'),
        RABBITMQ_CONF_ENV_FILE: join(home, 'none'),
        RABBITMQ_MNESIA_BASE: join(home, 'mnesia'),
        RABBITMQ_LOG_BASE: join(home, 'log'),
        RABBITMQ_ENABLED_PLUGINS_FILE: join(home, 'enabled_plugins'),
        RABBITMQ_FEATURE_FLAGS_FILE: join(home, 'feature_flags'),
        RABBITMQ_PID_FILE: join(home, 'pid'),
        RABBITMQ_DIST_PORT: String(distributionPort),
        ERL_EPMD_ADDRESS: '127.0.0.1',
        ERL_EPMD_PORT: String(mapperPort),
      },
      port!,
    );
    // However this process ends, short of being killed itself, its broker ends with it.
    process.once('exit', () => rabbit.child && rabbit.abandon());
    try {
      await rabbit.up();
    } catch (error) {
      await rabbit.remove();
      throw error;
    }
    return rabbit;
  }

  get url(): string {
    return `amqp://guest:guest@127.0.0.1:${this.port}`;
  }

  /** Starts it (again, on what it had stored) and waits until it answers. */
  async up(): Promise<void> {
    this.child = spawn(this.program, [], { env: this.environment, cwd: this.home, detached: true, stdio: 'ignore' });
    this.child.unref();
    for (let waitedMs = 0; waitedMs < READY_TIMEOUT_MS; waitedMs += 100) {
      if (await answers(this.port)) return;
      if (this.child.exitCode !== null) break;
      await pause(100);
    }
    throw new Error(`the private RabbitMQ did not start; its log is in ${join(this.home, 'log')}`);
  }

  /** Stops it in order; what is durable stays. */
  async down(): Promise<void> {
    await this.end('SIGTERM');
  }

  /** Kills it as a power failure would. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** Runs `rabbitmqctl` on it, for instance `['eval', '...']`. */
  control(args: readonly string[]): string {
    const done = spawnSync(this.program.replace(/rabbitmq-server$/, 'rabbitmqctl'), [...args], {
      env: this.environment,
    });
    if (done.status !== 0) throw new Error(`rabbitmqctl ${args[0]} failed: ${String(done.stderr)}`);
    return String(done.stdout);
  }

  /** Stops it and leaves nothing behind, its port mapper included. */
  async remove(): Promise<void> {
    await this.end('SIGTERM');
    for (const pid of portMappers(this.environment.ERL_EPMD_PORT!)) process.kill(pid, 'SIGKILL');
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Ends it at once and without a wait, for a test run that is itself being ended. */
  abandon(): void {
    if (this.child?.pid) signalGroup(this.child.pid, 'SIGKILL');
    for (const pid of portMappers(this.environment.ERL_EPMD_PORT!)) process.kill(pid, 'SIGKILL');
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.child;
    this.child = undefined;
    if (!child?.pid) return;
    if (!signalGroup(child.pid, signal)) return;
    for (let waitedMs = 0; waitedMs < 15_000 && groupLives(child.pid); waitedMs += 50) await pause(50);
    signalGroup(child.pid, 'SIGKILL');
    for (let waitedMs = 0; waitedMs < 5_000 && (await answers(this.port)); waitedMs += 50) await pause(50);
  }
}

const signalGroup = (leader: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(-leader, signal);
  } catch {
    return false;
  }
};

// A group of zombies still takes signals; what counts is whether any member runs.
const groupLives = (leader: number): boolean => {
  if (!signalGroup(leader, 0)) return false;
  const listed = spawnSync('ps', ['-o', 'stat=', '-g', String(leader)]);
  if (listed.error) return true;
  return String(listed.stdout)
    .split('\n')
    .some((state) => state.trim() !== '' && !state.trim().startsWith('Z'));
};

// The mapper detaches itself from the group; it is known by the port that only we gave it.
const portMappers = (port: string): number[] => {
  const listed = spawnSync('ps', ['-eo', 'pid=,args=']);
  const known = String(listed.stdout ?? '')
    .split('\n')
    .filter((line) => /\bepmd\b/.test(line))
    .map((line) => Number.parseInt(line, 10));
  return known.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`ERL_EPMD_PORT=${port}`);
    } catch {
      return false;
    }
  });
};

/** Whether a broker speaks AMQP on that port of this machine: to a wrong version it answers with the right one. */
export const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const end = (answered: boolean) => {
      socket.destroy();
      resolve(answered);
    };
    socket.setTimeout(2_000, () => end(false));
    socket.once('error', () => end(false));
    socket.once('close', () => end(false));
    socket.once('data', (data) => end(data[0] === 1 || data.subarray(0, 4).toString() === 'AMQP'));
    socket.write(Buffer.from([0x41, 0x4d, 0x51, 0x50, 0, 0, 9, 1]));
  });

const freePorts = async (count: number): Promise<number[]> => {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<ReturnType<typeof createServer>>((resolve, reject) => {
          const server = createServer().once('error', reject);
          server.listen(0, '127.0.0.1', () => resolve(server));
        }),
    ),
  );
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
};
