// Builds every app and library into dist/, one shared output tree. The sources are copied first and built in a folder of
// their own, and the result takes the place of dist/ in one move: two builds at once, or a service that starts in the
// middle of one, never meet half a tree. Says nothing unless something is wrong.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
// Not below node_modules/: what lies there keeps its aliases.
const room = mkdtempSync(join(realpathSync(tmpdir()), 'fanfold-build-'));
const cache = join(root, 'node_modules/.cache', basename(room));
process.on('exit', () => [room, cache].forEach((place) => rmSync(place, { recursive: true, force: true })));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));

const startedAt = new Date();
for (const name of ['apps', 'libs', '.swcrc', 'tsconfig.json', 'nest-cli.json', 'package.json'])
  cpSync(join(root, name), join(room, name), {
    recursive: true,
    filter: (path) => !/[\\/](node_modules|\.vite)([\\/]|$)/.test(path.slice(root.length)) && !path.endsWith('spec.ts'),
  });
symlinkSync(join(root, 'node_modules'), join(room, 'node_modules'), 'junction');

const built = spawnSync(process.execPath, [join(root, 'node_modules/@nestjs/cli/bin/nest.js'), 'build', '--all'], {
  cwd: room,
  encoding: 'utf8',
});
if (built.status !== 0) {
  process.stderr.write(built.stdout + built.stderr);
  process.exit(built.status ?? 1);
}
// On the disk of the checkout, so that the last move is one.
const fresh = join(cache, 'dist');
mkdirSync(cache, { recursive: true });
cpSync(join(room, 'dist'), fresh, { recursive: true });
// What package.json names as a program can be run as one.
for (const app of ['cli', 'standalone']) chmodSync(join(fresh, 'apps', app, 'src/main.js'), 0o755);
// Sources that change from here on make it stale, not those that changed while it was made.
writeFileSync(join(fresh, '.built'), '');
utimesSync(join(fresh, '.built'), startedAt, startedAt);

const dist = join(root, 'dist');
for (let tries = 1; ; tries++) {
  const old = join(cache, `old-${tries}`);
  if (existsSync(dist))
    try {
      renameSync(dist, old);
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
  try {
    renameSync(fresh, dist);
    break;
  } catch (error) {
    // Another build put its own there between the two moves.
    if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(error.code) || tries === 20) throw error;
  }
}
