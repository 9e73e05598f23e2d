import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { UsageError } from '../usage-error.js';
import { hashOfFile } from './run-identity.js';

/** The rows of a run, as a file that stays. */
export interface ListFile {
  readonly path: string;
  /** Null: it came through standard input. */
  readonly given: string | null;
  readonly contentHash: string;
  /** Where what is made of it is put for a while. */
  readonly dataDir: string;
}

/**
 * The file itself; standard input is written to the data folder first, under the hash of its bytes, so that what was
 * read once is there when the run goes on.
 * @throws UsageError where there is no such file
 */
export async function listFileOf(file: string, dataDir: string, input: NodeJS.ReadableStream): Promise<ListFile> {
  if (file === '-') return spooled(dataDir, input);
  const path = resolve(file);
  if (!existsSync(path))
    throw new UsageError(`there is no file ${file}; give the path of a list, or - to read it from standard input`);
  if (!statSync(path).isFile()) throw new UsageError(`${file} is no file; a pipe is read as -`);
  return { path, given: path, contentHash: await hashOfFile(path), dataDir };
}

async function spooled(dataDir: string, input: NodeJS.ReadableStream): Promise<ListFile> {
  const folder = join(dataDir, 'lists');
  mkdirSync(folder, { recursive: true });
  const fresh = join(folder, `reading-${process.pid}`);
  const hash = createHash('sha256');
  try {
    await pipeline(
      input,
      async function* (source: AsyncIterable<Buffer | string>) {
        for await (const chunk of source) {
          hash.update(chunk);
          yield chunk;
        }
      },
      createWriteStream(fresh, { mode: 0o600 }),
    );
    const contentHash = hash.digest('hex');
    const path = join(folder, contentHash);
    renameSync(fresh, path);
    return { path, given: null, contentHash, dataDir };
  } finally {
    rmSync(fresh, { force: true });
  }
}
