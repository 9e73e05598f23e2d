import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The bootstrap key of a data folder: generated once and kept with mode 0600. */
export function keptApiKey(dataDir: string, make: () => string): { key: string; file: string } {
  const file = join(dataDir, 'api-key');
  if (existsSync(file)) return { key: readFileSync(file, 'utf8').trim(), file };
  const key = make();
  writeFileSync(file, `${key}\n`, { mode: 0o600 });
  return { key, file };
}
