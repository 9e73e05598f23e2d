import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Target } from './map-options.js';

/** What is known of a run before it is looked for. */
export interface RunIdentity {
  /** Names its pipeline, its destination and its label. */
  readonly id: string;
  /** Of what is done with a row: a run that has begun goes on with the same or not at all. */
  readonly commandHash: string;
  /** Of the bytes of the list. */
  readonly contentHash: string;
}

export interface IdentityParts {
  readonly name: string | undefined;
  readonly target: Target;
  /** Absolute path; null: standard input, which is known by its bytes. */
  readonly path: string | null;
  readonly contentHash: string;
  /** Commands mean something in a folder, calls in any. */
  readonly folder: string;
}

/** A run is its name or, without one, the words of its command and its file. */
export function identityOf({ name, target, path, contentHash, folder }: IdentityParts): RunIdentity {
  const what = target.kind === 'command' ? { ...target, folder } : target;
  const commandHash = hashOf(JSON.stringify(what));
  const id = name ?? hashOf(JSON.stringify([commandHash, path ?? contentHash])).slice(0, 16);
  return { id: `map-${id}`, commandHash, contentHash };
}

/** sha-256 of a file, in hexadecimal digits. */
export async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
