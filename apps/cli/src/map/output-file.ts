import { accessSync, constants, createWriteStream, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { UsageError } from '../usage-error.js';

/**
 * Asked before the first row is run, as nobody wants to learn at the end that there is no place for the results.
 * @throws UsageError
 */
export function demandPlace(option: string, path: string): void {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there?.isDirectory()) throw new UsageError(`${option} ${path}: this is a folder; name a file`);
  try {
    accessSync(there && !there.isFile() ? path : dirname(placeOf(path)), constants.W_OK);
  } catch {
    throw new UsageError(`${option} ${path}: nothing can be written there`);
  }
}

/**
 * Writes a file that appears under its name when it is whole: whoever is killed in the middle leaves the one that was there before.
 * A link stays one, and what is no file, as a pipe or a device, is written to as it is: it must not be replaced.
 */
export async function writeWhole(path: string, parts: AsyncIterable<Uint8Array | string>): Promise<void> {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there && !there.isFile()) return pipeline(Readable.from(parts), createWriteStream(path));
  const place = placeOf(path);
  const fresh = `${place}.${process.pid}.partial`;
  try {
    await pipeline(Readable.from(parts), createWriteStream(fresh));
    renameSync(fresh, place);
  } finally {
    rmSync(fresh, { force: true });
  }
}

/** Where a link leads, if it leads anywhere. */
function placeOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
