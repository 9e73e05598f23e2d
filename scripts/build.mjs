// Builds every app and library into dist/ with one shared output tree, then drops a stamp that ensure-built compares with the sources.
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
const built = spawnSync(process.execPath, ['node_modules/@nestjs/cli/bin/nest.js', 'build', '--all'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
if (built.status !== 0) {
  process.stderr.write(built.stdout);
  process.exit(built.status ?? 1);
}
writeFileSync('dist/.built', '');
