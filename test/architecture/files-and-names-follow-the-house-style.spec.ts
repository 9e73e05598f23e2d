import { shipped, sources, stripped } from './sources.js';

/** Words of the glossary that are never names of ours; a Node or library API that is called so is no name of ours. */
const banned = ['instance', 'job', 'worker', 'workflow', 'vertex', 'lock', 'util', 'helper', 'manager', 'common'];
/**
 * `step` is banned for a task, and is the word for a part of a shutdown; `lock` is banned for a lease, and is the word for
 * what a database and a data folder do. Everything of the platform that is spelled with a banned word.
 */
const allowedNames =
  /instanceof|Worker\b|workerData|worker_threads|parentPort|lock(?:ed|s|ing)?_?[Tt]imeout|[Ll]ock(?:ed)?[A-Z]?|block|clock|Clock|unlock|_xact_lock|advisory/;

const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.toLowerCase().replace(/s$/, ''));

const declared = /\b(?:class|interface|type|function|const|let|enum)\s+([A-Za-z_$][\w$]*)/g;

describe('the house style', () => {
  it('has no file longer than 400 lines', () => {
    const long = shipped
      .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
      .filter(({ lines }) => lines > 400);
    // The first migration is the whole schema, told in one place; what is made of the OpenAPI document nobody reads through.
    expect(long.filter(({ path }) => !path.includes('/migrations/') && !path.endsWith('.generated.ts'))).toEqual([]);
  });

  it('has no default exports', () => {
    expect(sources.filter(({ code }) => /\bexport default\b/.test(code)).map(({ path }) => path)).toEqual([]);
  });

  it('names files in kebab-case, by one noun, with a known suffix', () => {
    const suffix =
      /\.(controller|consumer|loop|service|store|sql|fragment|tables|functions|table|module|dto|spec|sweep|performer|middleware|interceptor|filter|guard|strategy|migration|thread|command|generated)$/;
    const wrong = sources
      .map(({ path }) => ({ path, file: path.slice(path.lastIndexOf('/') + 1).replace(/\.ts$/, '') }))
      .filter(({ file }) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(file.replace(suffix, '')));
    expect(wrong.map(({ path }) => path)).toEqual([]);
    expect(
      sources
        .filter(({ path }) => /\/(types|constants|utils?|helpers?|common|misc)(\/|\.ts$)/.test(path))
        .map(({ path }) => path),
    ).toEqual([]);
  });

  it('uses no banned word in a name of ours', () => {
    const wrong = shipped.flatMap(({ path, text }) =>
      [...stripped(text).matchAll(declared)]
        .map((match) => match[1]!)
        .filter((name) => !allowedNames.test(name) && wordsOf(name).some((word) => banned.includes(word)))
        .map((name) => `${path}: ${name}`),
    );
    expect(wrong).toEqual([]);
    const files = shipped.filter(
      ({ path }) => !allowedNames.test(path) && wordsOf(path).some((word) => banned.includes(word)),
    );
    expect(files.map(({ path }) => path)).toEqual([]);
  });

  it('uses no I-prefix, Impl or Base in a name', () => {
    const wrong = shipped.flatMap(({ path, code }) =>
      [...code.matchAll(/\b(?:class|interface)\s+(I[A-Z][a-z]\w*|\w+Impl|Base[A-Z]\w*)\b/g)].map(
        (match) => `${path}: ${match[1]!}`,
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('has no leftovers: focused or silenced tests, notes to oneself', () => {
    const wrong = sources.flatMap(({ path, text, code }) => {
      const found = [
        ...code.matchAll(/\b(?:it|describe|test)\.(?:only|skip|todo)\(|\bx(?:it|describe)\(/g),
        ...text.matchAll(/\b(?:TO[D]O|FIX[M]E|X[X]X)\b/g),
      ];
      return found.map(([what]) => `${path}: ${what}`);
    });
    expect(wrong).toEqual([]);
  });
});
