import { shipped } from './sources.js';

const SQL =
  /['"`]\s*(?:with \w+ as|select\s[\s\S]{1,400}?\sfrom\s|insert into\s|update \w+(?: \w+)?\s+set\s|delete from\s|create (?:table|index|type|function)\s|listen "|notify )/i;

describe('SQL', () => {
  it('is written in persistence alone', () => {
    const elsewhere = shipped.filter(({ path, text }) => !path.startsWith('libs/persistence/') && SQL.test(text));
    expect(elsewhere.map(({ path }) => path)).toEqual([]);
  });

  it('of every statement has a name that no other has', () => {
    const names = shipped
      .filter(({ path }) => path.startsWith('libs/persistence/'))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/\bname: '([a-z0-9-]+)',\s*\n?\s*text[:,]/g)].map((match) => ({ name: match[1]!, path })),
      );
    expect(names.length).toBeGreaterThan(80);
    const twice = names.filter(({ name }, index) => names.findIndex((other) => other.name === name) !== index);
    expect(twice).toEqual([]);
  });

  it('never binds a value by writing it into the text', () => {
    const wrong = shipped
      .filter(({ path }) => /\.(sql|fragment)\.ts$/.test(path))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/'\$\{(?!(?:k|v|kind|state|name|move|machine|outcome)\})[^}]*\}'/g)].map(
          ([found]) => `${path}: ${found}`,
        ),
      );
    expect(wrong).toEqual([]);
  });

  it('is not sent by apps: they go through stores', () => {
    // The heartbeat's thread has a connection of its own; fsck takes the time limit off its session.
    const own = ['apps/executor/src/lease/heartbeat.thread.ts', 'apps/cli/src/fsck.command.ts'];
    const wrong = shipped.filter(
      ({ path, code }) =>
        path.startsWith('apps/') &&
        !own.includes(path) &&
        /\.pool\.query\(|\bnew (?:pg\.)?(?:Client|Pool)\(/.test(code),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });
});
