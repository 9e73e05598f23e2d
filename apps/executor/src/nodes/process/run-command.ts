import { outputTooLarge } from '../output-limit.js';
import { AttemptFailure, type Performance } from '../performance.js';
import { LaneLost } from './command-lane.js';
import { CommandLanes } from './command-lanes.js';
import { startDirectly } from './direct-command.js';
import { LineSplitter } from './line-splitter.js';
import type { Command, ProcessEnd, StartedCommand } from './started-command.js';

export interface CommandEnd extends ProcessEnd {
  readonly stdout: Buffer;
  /** The last line of stderr that says something. */
  readonly lastWords: string;
}

const lanes = new CommandLanes();
/** With which a shell says that there is no such program, or that it cannot be run; a program may say so as well. */
const noProgram = [126, 127];

/**
 * Runs a command until it and what it started have ended. Lines of stderr go to the attempt's log.
 * @throws AttemptFailure when it could not be started or wrote too much; the signal's reason when that was aborted
 */
export async function runCommand(command: Command, performance: Performance): Promise<CommandEnd> {
  performance.signal.throwIfAborted();
  const inLane = await lanes.start(command);
  if (inLane === null) return watch(startDirectly(command), performance);
  const end = await watch(inLane, performance);
  // Gone between the look and the start: then nothing was run, and the system says why.
  if (noProgram.includes(end.code ?? 0) && lanes.doubt(command)) return watch(startDirectly(command), performance);
  return end;
}

async function watch(started: StartedCommand, performance: Performance): Promise<CommandEnd> {
  const { signal, maxOutput } = performance;
  const chunks: Buffer[] = [];
  let bytes = 0;
  let lastWords = '';
  const stderr = new LineSplitter((line) => {
    if (line.trim() !== '') lastWords = line.trim();
    performance.log('error', line);
  });
  started.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxOutput) chunks.push(chunk);
    else started.kill();
  });
  started.stderr.on('data', (chunk: Buffer) => stderr.add(chunk));
  const onAbort = (): void => started.end();
  signal.addEventListener('abort', onAbort, { once: true });
  // While it was being started.
  if (signal.aborted) onAbort();
  try {
    const end = await started.ended;
    stderr.end();
    signal.throwIfAborted();
    if (bytes > maxOutput) throw outputTooLarge(maxOutput);
    return { ...end, stdout: Buffer.concat(chunks), lastWords };
  } catch (error) {
    if (!(error instanceof LaneLost)) throw error;
    signal.throwIfAborted();
    throw new AttemptFailure('TRANSIENT', 'SHELL.LOST', error.message);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
