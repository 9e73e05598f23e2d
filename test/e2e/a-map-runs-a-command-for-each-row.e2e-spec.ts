import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { CommandLine } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { Sink } from '../support/sink.js';

interface ResultLine {
  readonly index: number;
  readonly state: string;
  readonly output?: unknown;
}

describe('fanfold map', () => {
  let commands: CommandLine;
  let sink: Sink;

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

  const write = (name: string, text: string): string => {
    writeFileSync(commands.path(name), text);
    return name;
  };
  const numbered = (name: string, rows: number, more = ''): string =>
    write(name, `n\n${Array.from({ length: rows }, (_, n) => `${n}\n`).join('')}${more}`);
  const linesOf = (text: string): ResultLine[] =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as ResultLine);
  const rowsCalled = () => sink.calls.map(({ body }) => (JSON.parse(body) as { n: string }).n);

  it('gives values to commands as they are: no shell reads them, not even behind sh -c', async () => {
    const values = ["O'Neil; touch harm", '$(touch harm)', '`touch harm`', '-n', '"', 'a  b', '*'];
    write('odd.csv', `v\n${values.map((v) => `"${v.replaceAll('"', '""')}"\n`).join('')}`);
    for (const command of [
      ['printf', '%s', '<{v}>'],
      ['sh', '-c', 'printf %s "<$1>"', 'sh', '{v}'],
    ]) {
      const { exit, stdout } = await commands.run(['map', 'odd.csv', '--', ...command]);
      expect(exit).toBe(0);
      expect(linesOf(stdout).map(({ output }) => output)).toEqual(values.map((v) => `<${v}>`));
    }
    expect(existsSync(commands.path('harm'))).toBe(false);
  });

  it('ends with 1 beyond its tolerance and 0 within, writes what failed, and runs that again when asked to', async () => {
    numbered('some.csv', 40);
    sink.answer(({ body }) => ({ status: /"n":"[0-2]"/.test(body) ? 422 : 200 }));
    const post = ['map', 'some.csv', '--post', sink.url, '--failed', 'failed.csv'];
    const strict = await commands.run([...post, '--name', 'strict']);
    expect(strict.exit).toBe(1);
    expect(strict.stderr).toMatch(/40 rows: 37 succeeded, 3 failed/);
    expect(readFileSync(commands.path('failed.csv'), 'utf8').split('\r\n').map((line) => line.split(',')[0])).toEqual([
      'n', '0', '1', '2', '',
    ]); // prettier-ignore
    expect((await commands.run([...post, '--name', 'patient', '--halt', '3'])).exit).toBe(0);
    sink.answer(() => ({}));
    sink.reset();
    expect((await commands.run([...post, '--name', 'strict', '--retry-failed'])).exit).toBe(0);
    expect(rowsCalled().sort()).toEqual(['0', '1', '2']);
    // Of one that bore them just the same, and its verdict stays.
    sink.reset();
    const again = await commands.run([...post, '--name', 'patient', '--halt', '3', '--retry-failed']);
    expect(again.exit).toBe(0);
    expect(again.stderr).toMatch(/40 rows: 40 succeeded, 0 failed/);
    expect(rowsCalled().sort()).toEqual(['0', '1', '2']);
  });

  it('stops when more fail than it bears', async () => {
    numbered('many.csv', 2_000);
    sink.answer(() => ({ status: 422, delayMs: 5 }));
    const { exit, stderr } = await commands.run(['map', 'many.csv', '--post', sink.url, '-j', '5', '--halt', '10']);
    expect(exit).toBe(1);
    expect(stderr).toMatch(/not run/);
    expect(sink.calls.length).toBeLessThan(2_000);
  });

  it('is interrupted with 130, and goes on where it stopped', async () => {
    numbered('slow.csv', 200);
    sink.answer(() => ({ delayMs: 20 }));
    const args = ['map', 'slow.csv', '--post', sink.url, '-j', '4'];
    const running = commands.start(args);
    await eventually(() => expect(sink.calls.length).toBeGreaterThan(20), { timeoutMs: 60_000 });
    running.signal('SIGINT');
    expect((await running.ended).exit).toBe(130);
    const before = sink.calls.length;
    expect(before).toBeLessThan(200);
    // Another run on the same data does not take up what was interrupted.
    numbered('other.csv', 3);
    expect((await commands.run(['map', 'other.csv', '--', 'true', '{n}'])).exit).toBe(0);
    expect(sink.calls.length).toBe(before);
    const { exit, stdout } = await commands.run(args);
    expect(exit).toBe(0);
    expect(linesOf(stdout).map(({ index, state }) => [index, state])).toEqual(
      Array.from({ length: 200 }, (_, n) => [n, 'SUCCEEDED']),
    );
    // What ran was let come to its end: no row was called twice.
    expect(new Set(rowsCalled()).size).toBe(200);
    expect(sink.calls.length).toBe(200);
  });

  it('stops where the list has changed or the command has, and says what to do', async () => {
    numbered('list.csv', 5);
    const post = ['map', 'list.csv', '--post', sink.url];
    expect((await commands.run(post)).exit).toBe(0);
    numbered('list.csv', 5, '5\n');
    const changed = await commands.run(post);
    expect(changed.exit).toBe(2);
    expect(changed.stderr).toMatch(/list has changed.*--fresh.*--key/s);
    expect(sink.calls.length).toBe(5);
    expect((await commands.run([...post, '--fresh'])).exit).toBe(0);
    expect(sink.calls.length).toBe(11);
    expect((await commands.run(['map', 'list.csv', '--name', 'named', '--', 'true', '{n}'])).exit).toBe(0);
    const other = await commands.run(['map', 'list.csv', '--name', 'named', '--', 'false', '{n}']);
    expect(other.exit).toBe(2);
    expect(other.stderr).toMatch(/another command.*--fresh/s);
  });

  it('tells rows by a key: of a list that has changed it runs what has not succeeded, and gives all results', async () => {
    write('keyed.csv', 'n,at\na,1\nb,1\nc,1\n');
    sink.answer(({ body }) => ({ status: body.includes('"b"') ? 422 : 200 }));
    const args = ['map', 'keyed.csv', '--post', sink.url, '--key', 'n'];
    expect((await commands.run(args)).exit).toBe(1);
    write('keyed.csv', 'n,at\nd,2\nc,2\nb,2\n');
    sink.answer(() => ({}));
    sink.reset();
    const { exit, stdout } = await commands.run(args);
    expect(exit).toBe(0);
    expect(rowsCalled().sort()).toEqual(['b', 'd']);
    expect(linesOf(stdout)).toMatchObject([
      { index: 0, key: 'd', state: 'SUCCEEDED' },
      { index: 1, key: 'c', state: 'SUCCEEDED' },
      { index: 2, key: 'b', state: 'SUCCEEDED' },
    ]);
  });

  it('runs no row of a list that has a key twice, and says so', async () => {
    write('twice.csv', 'n\na\nb\na\n');
    const { exit, stderr } = await commands.run(['map', 'twice.csv', '--post', sink.url, '--key', 'n']);
    expect(exit).toBe(1);
    expect(stderr).toMatch(/key/);
    expect(sink.calls).toEqual([]);
  });

  it('reads standard input, and knows it again by what was in it', async () => {
    const args = ['map', '-', '--format', 'ndjson', '--post', sink.url];
    const input = '{"n":"x"}\n{"n":"y"}\n';
    expect((await commands.run(args, input)).exit).toBe(0);
    expect((await commands.run(args, input)).exit).toBe(0);
    expect(rowsCalled().sort()).toEqual(['x', 'y']);
  });

  it('prints what it would run, and runs nothing', async () => {
    write('dry.csv', 'n,m\n1,a b\n');
    const { exit, stdout } = await commands.run(['map', 'dry.csv', '--dry-run', '--', 'echo', '{m}', '{#}']);
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: "echo 'a b' 1\n" });
    await commands.run(['map', 'dry.csv', '--dry-run', '--post', sink.url]);
    expect(sink.calls).toEqual([]);
  });

  it('of two at once on one data folder both come to their end', async () => {
    numbered('one.csv', 60);
    numbered('two.csv', 300);
    sink.answer(() => ({ delayMs: 10 }));
    const both = ['one.csv', 'two.csv'].map((name) => commands.run(['map', name, '--post', sink.url, '-j', '4']));
    expect((await Promise.all(both)).map(({ exit }) => exit)).toEqual([0, 0]);
    expect(sink.calls.length).toBe(360);
  });

  it('refuses what it does not understand with 2, and an unreadable list with its row', async () => {
    expect((await commands.run(['map'])).exit).toBe(2);
    expect((await commands.run(['map', 'missing.csv', '--', 'true'])).exit).toBe(2);
    write('ragged.csv', 'a,b\n1\n');
    const ragged = await commands.run(['map', 'ragged.csv', '--', 'true']);
    expect(ragged.exit).toBe(1);
    expect(ragged.stderr).toMatch(/row/);
  });
});
