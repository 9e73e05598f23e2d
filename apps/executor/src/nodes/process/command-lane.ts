import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, constants as files, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { constants as system, tmpdir } from 'node:os';
import { join } from 'node:path';
import { laneProgram } from './lane-program.js';
import { ProcessGroup } from './process-group.js';
import type { ProcessEnd, StartedCommand } from './started-command.js';

/** What a lane runs. */
export interface LaneCommand {
  readonly words: readonly string[];
  /** As `NAME=value`, beside those of the lane. */
  readonly variables: readonly string[];
  readonly stdin: string;
}

/** The lane ended while it ran a command: how that ended is not known. */
export class LaneLost extends Error {}

/** A command between its start and its end. */
interface Running {
  readonly streams: readonly Socket[];
  group: ProcessGroup | null;
  /** What it was told before its process was known. */
  told: 'end' | 'kill' | null;
  resolve(end: ProcessEnd): void;
  reject(error: Error): void;
}

/**
 * A small process that lives long and runs one command after the other for this one ({@link laneProgram}).
 *
 * What a command writes comes through two named pipes of the lane, opened anew for each: a pipe ends when nobody holds it any
 * more, and before that the lane takes no other command, so nothing of one is ever taken for output of the next.
 *
 * Dying between any two lines. This process: the reaper knows the lane from its start, and tells it to end; the lane knows what it runs from
 * the moment it is there, and kills it. The lane: the command is killed here, with its group, and its attempt fails as one that may be
 * tried again.
 */
export class CommandLane {
  private running: Running | null = null;
  private rest = '';
  private lost = false;
  private onReady: (isReady: boolean) => void = () => undefined;

  private constructor(
    private readonly folder: string,
    private readonly child: ChildProcess,
    private readonly own: ProcessGroup,
  ) {
    const status = this.status;
    status.on('data', (chunk: Buffer) => this.read(chunk.toString('latin1')));
    for (const pipe of [status, child.stdin as Socket]) pipe.on('error', () => undefined);
    child.once('exit', () => this.lose());
    child.once('error', () => this.lose());
  }

  /**
   * @param shell a bash
   * @param env what every command of it has
   * @returns null where this system lacks what a lane needs
   */
  static async open(shell: string, env: Readonly<Record<string, string>>): Promise<CommandLane | null> {
    const folder = mkdtempSync(join(tmpdir(), 'fanfold-lane-'));
    const program = join(folder, 'program');
    writeFileSync(program, laneProgram, { mode: 0o600 });
    const child = spawn(shell, ['--norc', '--noprofile', program, folder], {
      env,
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
    });
    const lane = new CommandLane(folder, child, new ProcessGroup(child, 'TERM'));
    return (await new Promise<boolean>((resolve) => (lane.onReady = resolve))) ? lane : null;
  }

  get isLost(): boolean {
    return this.lost;
  }

  /** Whether it can take a command. */
  get isFree(): boolean {
    return !this.lost && this.running === null;
  }

  /** @throws where the pipes cannot be opened; then nothing was started */
  run({ words, variables, stdin }: LaneCommand): StartedCommand {
    const input = stdin === '' ? '/dev/null' : join(this.folder, 'in');
    if (stdin !== '') {
      rmSync(input, { force: true });
      writeFileSync(input, stdin, { mode: 0o600, flag: 'wx' });
    }
    const streams = this.openPipes();
    const ended = new Promise<ProcessEnd>((resolve, reject) => {
      this.running = { streams, group: null, told: null, resolve, reject };
    });
    const running = this.running!;
    this.status.ref();
    const parts = [variables.length, ...variables, words.length, ...words, input];
    this.child.stdin!.write(parts.map((part) => `${part}\0`).join(''));
    const closed = Promise.all(streams.map((stream) => new Promise((resolve) => stream.once('close', resolve))));
    const tell = (what: 'end' | 'kill'): void => {
      running.told = what;
      running.group?.[what]();
    };
    return {
      stdout: streams[0]!,
      stderr: streams[1]!,
      ended: ended.then(async (end) => {
        await closed;
        this.running = null;
        this.letGo();
        return end;
      }),
      end: () => tell('end'),
      kill: () => tell('kill'),
    };
  }

  private openPipes(): Socket[] {
    const opened: number[] = [];
    try {
      for (const name of ['out', 'err'])
        opened.push(openSync(join(this.folder, name), files.O_RDONLY | files.O_NONBLOCK));
    } catch (error) {
      opened.forEach((fd) => closeSync(fd));
      throw error;
    }
    return opened.map((fd) => {
      const stream = new Socket({ fd, readable: true, writable: false });
      stream.on('error', () => undefined);
      return stream;
    });
  }

  private get status(): Socket {
    return this.child.stdio[3] as Socket;
  }

  /** Without a command it keeps nobody from ending. */
  private letGo(): void {
    this.child.unref();
    this.status.unref();
    (this.child.stdin as Socket).unref();
  }

  private read(text: string): void {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop()!;
    for (const line of lines) {
      const [what, number] = line.split(' ');
      if (what === 'ready') this.ready();
      else if (what === '+') this.started(Number(number));
      else this.end(what === '~', Number(number));
    }
  }

  private ready(): void {
    this.letGo();
    this.onReady(true);
  }

  private started(pid: number): void {
    const { running } = this;
    if (!running) return;
    running.group = new ProcessGroup(pid);
    if (running.told) running.group[running.told]();
  }

  private end(bySignal: boolean, code: number): void {
    this.running?.group?.close();
    this.running?.resolve(bySignal ? { code: null, signal: signalOf(code - 128) } : { code, signal: null });
  }

  private lose(): void {
    if (this.lost) return;
    this.lost = true;
    this.own.close();
    // One that was killed could not do it itself.
    rmSync(this.folder, { recursive: true, force: true });
    this.onReady(false);
    const { running } = this;
    if (!running) return;
    running.group?.close();
    running.reject(new LaneLost('the process that started the command ended before it'));
    for (const stream of running.streams) stream.destroy();
  }
}

function signalOf(number: number): NodeJS.Signals {
  const [name] = Object.entries(system.signals).find(([, each]) => each === number) ?? ['SIGKILL'];
  return name as NodeJS.Signals;
}
