// Makes sources that only need node: and packages importable without a build: jest's global setup runs before any
// transform, and children of tests run without one. Compiled files stay in node_modules/.cache, keyed by content.
import { transformFileSync } from '@swc/core';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const options = {
  swcrc: false,
  module: { type: 'es6' },
  jsc: { target: 'es2022', parser: { syntax: 'typescript', decorators: true } },
};

/** The address of a compiled module; every `.ts` file of its folder is compiled with it. */
export const compiled = (folder, file) => {
  const from = join(root, folder);
  const names = readdirSync(from).filter((name) => name.endsWith('.ts') && !name.endsWith('spec.ts'));
  const hash = createHash('sha256');
  for (const name of names) hash.update(name).update(readFileSync(join(from, name)));
  const to = join(root, 'node_modules/.cache/fanfold', hash.digest('hex').slice(0, 16));
  if (!existsSync(to)) {
    const fresh = `${to}.${process.pid}`;
    mkdirSync(fresh, { recursive: true });
    writeFileSync(join(fresh, 'package.json'), '{"type":"module"}');
    for (const name of names)
      writeFileSync(join(fresh, name.replace(/\.ts$/, '.js')), transformFileSync(join(from, name), options).code);
    try {
      renameSync(fresh, to);
    } catch {
      // Somebody else compiled the same at the same time.
    }
  }
  return pathToFileURL(join(to, file)).href;
};

/** Imports a TypeScript module, for instance `load('apps/standalone/src/embedded', 'index.js')`. */
export const load = (folder, file) => import(compiled(folder, file));
