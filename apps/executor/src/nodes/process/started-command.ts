import type { Readable } from 'node:stream';

export interface Command {
  /** Program and arguments; no shell reads them. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string | null;
}

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A command that runs, whoever started it. */
export interface StartedCommand {
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** After both the exit and the end of its pipes, so nothing it wrote is missed. Rejects where it could not be started. */
  readonly ended: Promise<ProcessEnd>;
  /** SIGTERM to its process group, and SIGKILL after two seconds. */
  end(): void;
  /** SIGKILL to its process group. */
  kill(): void;
}
