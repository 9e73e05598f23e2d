import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const headBytes = 256;

/**
 * Whether a program is surely one that the system starts by itself: a file that may be run, and is a binary or names an
 * interpreter that is there. Of anything else a shell might make something that the system does not.
 * @param path where it is looked for, as in `PATH`
 */
export function isKnownProgram(program: string, path: string | undefined): boolean {
  const places = program.includes('/') ? [program] : (path ?? '').split(delimiter).map((place) => join(place, program));
  const found = places.find(mayRun);
  return found !== undefined && startsByItself(headOf(found));
}

function mayRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function startsByItself(head: Buffer): boolean {
  if (head.subarray(0, 4).equals(Buffer.from('\x7fELF', 'latin1'))) return true;
  const interpreter = /^#![ \t]*(\/[^ \t\r\n]+)[^\n]*\n/.exec(head.toString('latin1'))?.[1];
  return interpreter !== undefined && mayRun(interpreter);
}

function headOf(file: string): Buffer {
  try {
    const fd = openSync(file, 'r');
    try {
      const head = Buffer.alloc(headBytes);
      return head.subarray(0, readSync(fd, head, 0, headBytes, 0));
    } finally {
      closeSync(fd);
    }
  } catch {
    return Buffer.alloc(0);
  }
}
