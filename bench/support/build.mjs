import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './root.mjs';

/** A copy of the build of this run's own: a build in the middle of a measurement changes nothing under it. */
export const copyOfBuild = () => {
  const built = spawnSync(process.execPath, [join(root, 'scripts/ensure-built.mjs')], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (built.status !== 0) throw new Error('the build failed');
  const dist = join(root, 'node_modules/.cache', `bench-${process.pid}`);
  const remove = () => rmSync(dist, { recursive: true, force: true });
  process.once('exit', remove);
  cpSync(join(root, 'dist'), dist, { recursive: true });
  cpSync(join(root, 'package.json'), join(dist, 'package.json'));
  return {
    path: (file) => join(dist, file),
    import: (file) => import(pathToFileURL(join(dist, file)).href),
    remove,
  };
};
