import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { CommandLine } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { inModes } from '../support/in-every-mode.js';
import { Sink } from '../support/sink.js';

interface ResultLine {
  readonly index: number;
  readonly state: string;
  readonly output?: unknown;
}

const linesOf = (text: string): ResultLine[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ResultLine);
const rowsCalled = (sink: Sink) => sink.calls.map(({ body }) => (JSON.parse(body) as { n: string }).n);
/** Writes lists into the folder that commands run in. */
const listsIn = (pathOf: (name: string) => string) => {
  const write = (name: string, text: string): string => {
    writeFileSync(pathOf(name), text);
    return name;
  };
  const numbered = (name: string, rows: number, more = ''): string =>
    write(name, `n\n${Array.from({ length: rows }, (_, n) => `${n}\n`).join('')}${more}`);
  return { write, numbered };
};

describe('fanfold map without an engine', () => {
  let commands: CommandLine;
  let sink: Sink;
  const { write, numbered } = listsIn((name) => commands.path(name));

  beforeAll(async () => {
    commands = new CommandLine();
    sink = await Sink.start();
  });
  afterAll(async () => {
    await commands?.close();
    await sink?.close();
  });
  beforeEach(() => {
    sink.answer(() => ({}));
    sink.reset();
  });

  it('gives values to commands as they are: no shell reads them, not even behind sh -c', async () => {
    const values = ["O'Neil; touch harm", '$(touch harm)', '`touch harm`', '-n', '"', 'a  b', '*'];
    write('odd.csv', `v\n${values.map((v) => `"${v.replaceAll('"', '""')}"\n`).join('')}`);
    const command = ['sh', '-c', 'printf "%s|%s" "$0" "$1"', '<{v}>', '{v}'];
    const { exit, stdout } = await commands.run(['map', 'odd.csv', '--joblog', 'log', '--', ...command]);
    expect(exit).toBe(0);
    expect(linesOf(stdout).map(({ output }) => output)).toEqual(values.map((v) => `<${v}>|${v}`));
    // What was run for each row, as it was run.
    const log = readFileSync(commands.path('log'), 'utf8').trimEnd().split('\n').slice(1);
    expect(log.map((line) => line.split('\t')[8])).toEqual(
      values.map((v) => `sh -c printf "%s|%s" "$0" "$1" <${v}> ${v}`),
    );
    expect(existsSync(commands.path('harm'))).toBe(false);
  });

  it('is interrupted with 130, and goes on where it stopped', async () => {
    numbered('slow.csv', 100);
    sink.answer(() => ({ delayMs: 40 }));
    const args = ['map', 'slow.csv', '--post', sink.url, '-j', '4'];
    const running = commands.start(args);
    await eventually(() => expect(sink.calls.length).toBeGreaterThan(10), { timeoutMs: 60_000 });
    running.signal('SIGINT');
    expect((await running.ended).exit).toBe(130);
    const before = sink.calls.length;
    expect(before).toBeLessThan(100);
    // Another run on the same data does not take up what was interrupted.
    numbered('other.csv', 3);
    expect((await commands.run(['map', 'other.csv', '--', 'true', '{n}'])).exit).toBe(0);
    expect(sink.calls.length).toBe(before);
    const { exit, stdout } = await commands.run(args);
    expect(exit).toBe(0);
    expect(linesOf(stdout).map(({ index, state }) => [index, state])).toEqual(
      Array.from({ length: 100 }, (_, n) => [n, 'SUCCEEDED']),
    );
    // What ran was let come to its end: no row was called twice.
    expect(new Set(rowsCalled(sink)).size).toBe(100);
    expect(sink.calls.length).toBe(100);
  });

  it('of two at once on one data folder both come to their end', async () => {
    numbered('one.csv', 60);
    numbered('two.csv', 150);
    sink.answer(() => ({ delayMs: 10 }));
    const both = ['one.csv', 'two.csv'].map((name) => commands.run(['map', name, '--post', sink.url, '-j', '4']));
    expect((await Promise.all(both)).map(({ exit }) => exit)).toEqual([0, 0]);
    expect(sink.calls.length).toBe(210);
  });
});

inModes(['standalone', 'services without a broker'], 'fanfold map on a running engine', (stage) => {
  let commands: CommandLine;
  const { write, numbered } = listsIn((name) => commands.path(name));

  beforeAll(() => {
    const { url, key } = stage.engine.api;
    commands = new CommandLine({ FANFOLD_URL: url, FANFOLD_API_KEY: key });
  });
  afterAll(() => commands?.close());

  it('ends with 1 beyond its tolerance and 0 within, writes what failed, and runs that again when asked to', async () => {
    numbered('some.csv', 40);
    stage.sink.answer(({ body }) => ({ status: /"n":"[0-2]"/.test(body) ? 422 : 200 }));
    const post = ['map', 'some.csv', '--post', stage.sink.url, '--failed', 'failed.csv'];
    const strict = await commands.run([...post, '--name', 'strict']);
    expect(strict.exit).toBe(1);
    expect(strict.stderr).toMatch(/40 rows: 37 succeeded, 3 failed/);
    expect(readFileSync(commands.path('failed.csv'), 'utf8').split('\r\n').map((line) => line.split(',')[0])).toEqual([
        'n', '0', '1', '2', '',
      ]); // prettier-ignore
    expect((await commands.run([...post, '--name', 'patient', '--halt', '3'])).exit).toBe(0);
    stage.sink.answer(() => ({}));
    stage.sink.reset();
    expect((await commands.run([...post, '--name', 'strict', '--retry-failed'])).exit).toBe(0);
    expect(rowsCalled(stage.sink).sort()).toEqual(['0', '1', '2']);
    // Of one that bore them just the same, and its verdict stays.
    stage.sink.reset();
    const again = await commands.run([...post, '--name', 'patient', '--halt', '3', '--retry-failed']);
    expect(again.exit).toBe(0);
    expect(again.stderr).toMatch(/40 rows: 40 succeeded, 0 failed/);
    expect(rowsCalled(stage.sink).sort()).toEqual(['0', '1', '2']);
  });

  it('stops when more fail than it bears', async () => {
    numbered('many.csv', 2_000);
    stage.sink.answer(() => ({ status: 422, delayMs: 5 }));
    const { exit, stderr } = await commands.run([
      'map',
      'many.csv',
      '--post',
      stage.sink.url,
      '-j',
      '5',
      '--halt',
      '10',
    ]);
    expect(exit).toBe(1);
    expect(stderr).toMatch(/not run/);
    expect(stage.sink.calls.length).toBeLessThan(2_000);
  });

  it('stops where the list has changed or the command has, and says what to do', async () => {
    numbered('list.csv', 5);
    const post = ['map', 'list.csv', '--post', stage.sink.url];
    expect((await commands.run(post)).exit).toBe(0);
    numbered('list.csv', 5, '5\n');
    const changed = await commands.run(post);
    expect(changed.exit).toBe(2);
    expect(changed.stderr).toMatch(/list has changed.*--fresh.*--key/s);
    expect(stage.sink.calls.length).toBe(5);
    expect((await commands.run([...post, '--fresh'])).exit).toBe(0);
    expect(stage.sink.calls.length).toBe(11);
    expect((await commands.run(['map', 'list.csv', '--name', 'named', '--', 'true', '{n}'])).exit).toBe(0);
    const other = await commands.run(['map', 'list.csv', '--name', 'named', '--', 'false', '{n}']);
    expect(other.exit).toBe(2);
    expect(other.stderr).toMatch(/another command.*--fresh/s);
  });

  it('tells rows by a key: of a list that has changed it runs what has not succeeded, and gives all results', async () => {
    write('keyed.csv', 'n,at\na,1\nb,1\nc,1\n');
    stage.sink.answer(({ body }) => ({ status: body.includes('"b"') ? 422 : 200 }));
    const args = ['map', 'keyed.csv', '--post', stage.sink.url, '--key', 'n'];
    expect((await commands.run(args)).exit).toBe(1);
    write('keyed.csv', 'n,at\nd,2\nc,2\nb,2\n');
    stage.sink.answer(() => ({}));
    stage.sink.reset();
    const { exit, stdout } = await commands.run(args);
    expect(exit).toBe(0);
    expect(rowsCalled(stage.sink).sort()).toEqual(['b', 'd']);
    expect(linesOf(stdout)).toMatchObject([
      { index: 0, key: 'd', state: 'SUCCEEDED' },
      { index: 1, key: 'c', state: 'SUCCEEDED' },
      { index: 2, key: 'b', state: 'SUCCEEDED' },
    ]);
  });

  it('runs no row of a list that has a key twice, and says so', async () => {
    write('twice.csv', 'n\na\nb\na\n');
    const { exit, stderr } = await commands.run(['map', 'twice.csv', '--post', stage.sink.url, '--key', 'n']);
    expect(exit).toBe(1);
    expect(stderr).toMatch(/rows 1 and 3 have the same key.*--key/);
    expect(stage.sink.calls).toEqual([]);
  });

  it('reads standard input, and knows it again by what was in it', async () => {
    const args = ['map', '-', '--format', 'ndjson', '--post', stage.sink.url];
    const input = '{"n":"x"}\n{"n":"y"}\n';
    expect((await commands.run(args, input)).exit).toBe(0);
    expect((await commands.run(args, input)).exit).toBe(0);
    expect(rowsCalled(stage.sink).sort()).toEqual(['x', 'y']);
  });

  it('prints what it would run, and runs nothing', async () => {
    write('dry.csv', 'n,m\n1,a b\n');
    const { exit, stdout } = await commands.run(['map', 'dry.csv', '--dry-run', '--', 'echo', '{m}', '{#}']);
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: "echo 'a b' 1\n" });
    const call = ['--post', 'http://x/{n}', '-H', 'x-row: {m}', '--body', '{"m":"{m}"}'];
    expect((await commands.run(['map', 'dry.csv', '--dry-run', ...call])).stdout).toBe(
      `POST http://x/1 -H 'x-row: a b' {"m":"a b"}\n`,
    );
    expect(stage.sink.calls).toEqual([]);
  });

  it('refuses what it does not understand with 2, once, and says where', async () => {
    expect((await commands.run(['map', 'missing.csv', '--', 'true'])).exit).toBe(2);
    const option = await commands.run(['map', '--frsh']);
    expect(option.exit).toBe(2);
    expect(option.stderr).toMatch(/unknown option.*fanfold map --help/s);
    write('row.csv', 'a\n1\n');
    const timeout = await commands.run(['map', 'row.csv', '--timeout', 'soon', '--', 'true']);
    expect(timeout).toMatchObject({ exit: 2, stderr: expect.stringMatching(/^fanfold: --timeout .*"soon"\n$/) });
    for (const [text, where] of [
      ['a,b\n1,2\n3\n', /row 3/],
      ['a,a\n1,2\n', /row 1, column/],
    ] as const) {
      write('wrong.csv', text);
      const { exit, stderr } = await commands.run(['map', 'wrong.csv', '--', 'true']);
      expect(exit).toBe(2);
      expect(stderr).toMatch(where);
      expect(stderr.match(new RegExp(where, 'g'))).toHaveLength(1);
    }
  });

  it('says why nothing moves while a service is away', async () => {
    write('away.csv', 'n\n0\n');
    const away = 'http://127.0.0.1:9';
    const running = commands.start(['map', 'away.csv', '--post', away, '--retries', '20']);
    await eventually(() => expect(running.stderr()).toMatch(/\(a row waits: .*ECONNREFUSED/), { timeoutMs: 30_000 });
    running.signal('SIGINT');
    expect((await running.ended).exit).toBe(130);
  });
});
