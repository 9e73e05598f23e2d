// Builds when dist/ is missing or older than any source, so that `npm start` and `npm run demo` work from a fresh clone.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const newest = (directory) =>
  readdirSync(directory, { withFileTypes: true }).reduce((latest, entry) => {
    if (entry.name === 'node_modules' || entry.name.endsWith('spec.ts')) return latest;
    const path = join(directory, entry.name);
    return Math.max(latest, entry.isDirectory() ? newest(path) : statSync(path).mtimeMs);
  }, 0);
const stale = !existsSync('dist/.built') || ['apps', 'libs'].some((d) => newest(d) > statSync('dist/.built').mtimeMs);
if (stale) {
  const built = spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: ['ignore', 'inherit', 'inherit'] });
  process.exitCode = built.status ?? 1;
}
