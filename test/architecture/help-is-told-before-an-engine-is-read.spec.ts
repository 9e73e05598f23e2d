import { dirname, relative, resolve } from 'node:path';
import { shipped } from './sources.js';

const root = resolve(__dirname, '../..');
const byPath = new Map(shipped.map((file) => [file.path, file]));
/** What is read before the first line of a file is run: imports inside functions are not, nor are those of types. */
const atOnce = /^(?:import|export)\s(?!type\b)[^'";]*?\sfrom\s+'([^']+)'|^import\s+'([^']+)'/gm;

const packagesOf = (path: string, seen = new Set<string>()): Set<string> => {
  const packages = new Set<string>();
  if (seen.has(path)) return packages;
  seen.add(path);
  for (const match of byPath.get(path)!.text.matchAll(atOnce)) {
    const name = match[1] ?? match[2]!;
    const own = /^@app\/([^/]+)(?:\/(.+))?$/.exec(name);
    if (!own && !name.startsWith('.')) packages.add(name);
    else {
      const file = own
        ? `libs/${own[1]}/src/${own[2] ?? 'index.js'}`
        : relative(root, resolve(root, dirname(path), name)).replaceAll('\\', '/');
      for (const more of packagesOf(file.replace(/\.js$/, '.ts'), seen)) packages.add(more);
    }
  }
  return packages;
};

const foreign = (path: string) => [...packagesOf(path)].filter((name) => !name.startsWith('node:')).sort();

describe('the command line', () => {
  it('reads nothing but its parser of arguments before it knows what was asked for', () => {
    expect(foreign('apps/cli/src/main.ts')).toEqual(['commander']);
  });

  it('works with an engine without reading one: what it starts is another process', () => {
    expect(foreign('apps/cli/src/map/map.command.ts')).toEqual(['@marcbachmann/cel-js']);
  });

  it('starts the database server of an engine before it reads the engine', () => {
    expect(foreign('apps/standalone/src/owned.ts')).toEqual(['reflect-metadata']);
  });
});
