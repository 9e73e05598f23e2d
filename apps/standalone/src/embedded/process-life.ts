import { readFileSync } from 'node:fs';

/** One life of a process: numbers are used again, the moment of the start is not. */
export interface ProcessLife {
  readonly pid: number;
  /** When it started, in the system's own terms; null where the system does not tell. */
  readonly start: string | null;
}

export const lifeOf = (pid: number): ProcessLife => ({ pid, start: startOf(pid) });

/** Whether that very life goes on. A zombie is dead: it holds nothing any more. */
export const isAlive = ({ pid, start }: ProcessLife): boolean => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const fields = statFields(pid);
  if (!fields) return start === null || process.platform !== 'linux';
  return fields[0] !== 'Z' && fields[0] !== 'X' && (start === null || startOf(pid) === start);
};

const startOf = (pid: number): string | null => {
  const ticks = statFields(pid)?.[19];
  if (ticks === undefined) return null;
  try {
    // Ticks count from the boot, so they mean something only together with it.
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${ticks}`;
  } catch {
    return ticks;
  }
};

// What follows the command's name, which may itself hold spaces and brackets: state, parent, group, …, start (20th).
const statFields = (pid: number): string[] | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
};
