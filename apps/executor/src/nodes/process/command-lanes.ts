import { existsSync } from 'node:fs';
import { CommandLane, type LaneCommand } from './command-lane.js';
import { inheritedVariables } from './inherited-variables.js';
import { isKnownProgram } from './known-program.js';
import type { Command, StartedCommand } from './started-command.js';

const shells = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'];
/** Whatever the slots: what runs beside so many others is seldom short. */
const mostLanes = 32;
/** A lane reads byte by byte. */
const mostBytes = 8_192;
const mostInput = 65_536;
/** A shell takes these for its own. */
const ownNames =
  /^(?:BASH.*|COMP_.*|COPROC|DIRSTACK|EPOCH.*|EUID|FUNCNAME|GROUPS|HIST.*|IFS|LC_.*|LINENO|MAIL.*|MAPFILE|OLDPWD|OPT.*|PIPESTATUS|POSIXLY_CORRECT|PPID|PS\d|PWD|RANDOM|READLINE_.*|REPLY|SECONDS|SHELLOPTS|SHLVL|SRANDOM|TEXTDOMAIN.*|TIMEFORMAT|TMOUT|UID)$/;

/**
 * The lanes of this process: short commands through small processes, as a fork of a large one takes as long as they do. What a lane
 * cannot start exactly as this process would is left to it: other systems than Linux, long arguments, names of variables
 * that mean something to a shell, files that only a shell would run.
 */
export class CommandLanes {
  private readonly lanes = new Set<CommandLane>();
  private readonly startable = new Set<string>();
  private env: Readonly<Record<string, string>> | null = null;
  private readonly shell = process.platform === 'linux' ? shells.find((file) => existsSync(file)) : undefined;
  private opening = 0;
  private lacking = false;

  /** @returns null: it is to be started by this process itself */
  async start(command: Command): Promise<StartedCommand | null> {
    const fit = this.shell === undefined || this.lacking ? null : this.fitting(command);
    if (fit === null) return null;
    const lane = this.free() ?? (await this.opened());
    try {
      return lane?.run(fit) ?? null;
    } catch {
      return null;
    }
  }

  /** It ended as a shell ends where it finds no program: whether it is still there is to be looked at again. */
  doubt({ argv, env }: Command): boolean {
    this.startable.delete(nameOf(argv[0]!, env.PATH));
    return !this.isStartable(argv[0]!, env.PATH);
  }

  private fitting({ argv, env, stdin }: Command): LaneCommand | null {
    this.env ??= Object.fromEntries(Object.entries(env).filter(([name]) => inheritedVariables.includes(name)));
    if (Object.keys(this.env).some((name) => env[name] === undefined)) return null;
    const variables: string[] = [];
    for (const [name, value] of Object.entries(env)) {
      if (this.env[name] === value) continue;
      if (!/^[A-Z][A-Z0-9_]*$/.test(name) || ownNames.test(name)) return null;
      variables.push(`${name}=${value}`);
    }
    const bytes = [...argv, ...variables].reduce((sum, part) => sum + Buffer.byteLength(part) + 1, 0);
    const hasNul = argv.some((word) => word.includes('\0'));
    if (bytes > mostBytes || hasNul || Buffer.byteLength(stdin ?? '') > mostInput) return null;
    return this.isStartable(argv[0]!, env.PATH) ? { words: argv, variables, stdin: stdin ?? '' } : null;
  }

  private isStartable(program: string, path: string | undefined): boolean {
    const name = nameOf(program, path);
    if (this.startable.has(name)) return true;
    if (!isKnownProgram(program, path)) return false;
    if (this.startable.size >= 1_000) this.startable.clear();
    this.startable.add(name);
    return true;
  }

  private free(): CommandLane | null {
    for (const lane of this.lanes) {
      if (lane.isLost) this.lanes.delete(lane);
      else if (lane.isFree) return lane;
    }
    return null;
  }

  private async opened(): Promise<CommandLane | null> {
    if (this.lanes.size + this.opening >= mostLanes) return null;
    this.opening++;
    try {
      const lane = await CommandLane.open(this.shell!, this.env!);
      if (lane === null) this.lacking = true;
      else this.lanes.add(lane);
      // Others may have taken one that was opened for them.
      return lane?.isFree ? lane : this.free();
    } catch {
      return null;
    } finally {
      this.opening--;
    }
  }
}

const nameOf = (program: string, path: string | undefined): string => `${program}\0${path ?? ''}`;
