// What the kernel knows about a group of processes. Nothing where there is no /proc.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;
export const hasFigures = existsSync('/proc/self/stat');

/** The living members of a process group: pid, role, processor seconds so far, most memory ever resident. */
export const membersOf = (group) =>
  hasFigures
    ? readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .flatMap((pid) => figuresOf(pid, group))
    : [];

/** What a process has resident now. */
export const residentMb = (pid) =>
  hasFigures ? Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024 : 0;

const figuresOf = (pid, group) => {
  try {
    // The name of the program stands in parentheses and may hold blanks.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    if (Number(fields[2]) !== group || fields[0] === 'Z') return [];
    const [, role = 'other'] = /apps\/(\w+)\/src\/main\.js/.exec(readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? [];
    const [, peakKb = 0] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    const cpuSeconds = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
    return [{ pid: Number(pid), role, cpuSeconds, peakRssMb: Number(peakKb) / 1_024 }];
  } catch {
    return []; // It ended while it was looked at.
  }
};
