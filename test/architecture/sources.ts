import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = resolve(__dirname, '../..');

export interface SourceFile {
  /** From the root of the project, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** Without comments and without the contents of strings and templates, for rules about code. */
  readonly code: string;
  /** Specifiers it imports or re-exports, types included. */
  readonly imports: readonly string[];
  /** The same as paths, where they are files of ours. */
  readonly files: readonly string[];
}

const walk = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.name === 'node_modules' || entry.name === 'dist') return [];
    if (entry.isDirectory()) return walk(path);
    return entry.name.endsWith('.ts') ? [path] : [];
  });

const IMPORT = /(?:^|\n)\s*(?:import|export)\s(?:[^'";]*?\sfrom\s)?\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/g;

/** Comments, and what stands between quotes, replaced by nothing. */
export const stripped = (text: string): string =>
  text
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''")
    .replaceAll(/(^|\s)\/\/[^\n]*/g, '$1');

const fileOf = (from: string, specifier: string, known: ReadonlySet<string>): string | undefined => {
  const own = /^@app\/([^/]+)(?:\/(.+))?$/.exec(specifier);
  const path = own
    ? `libs/${own[1]}/src/${own[2] ?? 'index.js'}`
    : specifier.startsWith('.')
      ? relative(root, resolve(root, dirname(from), specifier)).replaceAll('\\', '/')
      : undefined;
  const source = path?.replace(/\.js$/, '.ts');
  return source !== undefined && known.has(source) ? source : undefined;
};

/** Every TypeScript source under apps/ and libs/, tests included; the dashboard has rules of its own. */
export const sources: readonly SourceFile[] = (() => {
  const paths = [...walk('apps'), ...walk('libs')].filter((path) => !path.startsWith('apps/dashboard/'));
  const known = new Set(paths);
  return paths.map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const imports = [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2]!);
    const files = imports.flatMap((specifier) => fileOf(path, specifier, known) ?? []);
    return { path, text, code: stripped(text), imports, files };
  });
})();

/** What is shipped: no tests. */
export const shipped = sources.filter(({ path }) => !path.endsWith('spec.ts'));

/** `apps/api` or `libs/domain`: the room a file is in. */
export const roomOf = (path: string): string => path.split('/').slice(0, 2).join('/');

/** Lines of a file's code that match, as `path:line: text`; the whole text counts, the match must be in code. */
export const linesWith = (file: SourceFile, pattern: RegExp, text = file.text): string[] =>
  text.split('\n').flatMap((line, index) => {
    const code = stripped(line);
    return !/^\s*(\*|\/\/)/.test(line) && pattern.test(code) ? [`${file.path}:${index + 1}: ${line.trim()}`] : [];
  });
