import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Address } from './engine-client.js';

/** The engine that lives on a data folder. */
export interface LocalEngine extends Address {
  readonly pid: number;
  /** The folder its commands run in. */
  readonly folder: string;
}

/**
 * What the engine on a data folder wrote down about itself, where its process still lives.
 * @param apiKey the key of the environment; without one it is the key that the data folder keeps
 */
export function localEngine(dataDir: string, apiKey: string | undefined): LocalEngine | null {
  const file = join(dataDir, 'engine.json');
  if (!existsSync(file)) return null;
  try {
    const { url, pid, folder } = JSON.parse(readFileSync(file, 'utf8')) as { url: string; pid: number; folder: string };
    process.kill(pid, 0);
    const kept = join(dataDir, 'api-key');
    const key = apiKey ?? (existsSync(kept) ? readFileSync(kept, 'utf8').trim() : '');
    return { url, pid, folder, apiKey: key };
  } catch {
    return null;
  }
}
