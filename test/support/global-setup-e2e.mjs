// For tests that run the built services: both servers, and a copy of the build, so that a build in the middle of the run
// changes nothing under it. Engines that several test files share are ended here, whoever started them.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import globalSetup from './global-setup.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

export default async function globalSetupE2e(config) {
  const room = mkdtempSync(join(tmpdir(), 'fanfold-e2e-'));
  process.env.FANFOLD_TEST_ROOM = room;
  globalThis.fanfoldEndEngines = () => {
    endEngines(room);
    rmSync(room, { recursive: true, force: true });
    if (process.env.FANFOLD_TEST_DIST?.includes('.cache'))
      rmSync(process.env.FANFOLD_TEST_DIST, { recursive: true, force: true });
  };
  process.once('exit', globalThis.fanfoldEndEngines);
  if (!process.env.FANFOLD_TEST_DIST) {
    const built = spawnSync(process.execPath, [join(root, 'scripts/ensure-built.mjs')], {
      cwd: root,
      encoding: 'utf8',
    });
    if (built.status !== 0) throw new Error(`the build failed:\n${built.stdout}${built.stderr}`);
    const copy = join(root, 'node_modules/.cache', `dist-${process.pid}`);
    cpSync(join(root, 'dist'), copy, { recursive: true });
    cpSync(join(root, 'package.json'), join(copy, 'package.json'));
    process.env.FANFOLD_TEST_DIST = copy;
  }
  await globalSetup(config);
}

/** Every process that an engine under test has written down. */
const endEngines = (room) => {
  let pids = [];
  try {
    pids = readFileSync(join(room, 'pids'), 'utf8').trim().split('\n').map(Number);
  } catch {
    return; // no engine was started
  }
  for (const pid of pids)
    try {
      if (pid > 1) process.kill(-pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
};
