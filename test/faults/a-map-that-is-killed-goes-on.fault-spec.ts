import { readFileSync, writeFileSync } from 'node:fs';
import { CommandLine } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { Sink } from '../support/sink.js';

// `npm run test:faults` has the whole of it.
const [ROWS, KILLS] = process.env.FANFOLD_TEST_BRIEF ? [1_000, 2] : [10_000, 10];
const AT_ONCE = 20;

interface ResultLine {
  readonly index: number;
  readonly key: string;
  readonly state: string;
  readonly output?: { readonly body: { readonly posted: string } };
  readonly error?: { readonly status: number };
}

/** Refused for good, and busy at the first call. */
const isRefused = (n: number): boolean => n % 97 === 0;
const isBusyAtFirst = (n: number): boolean => n % 89 === 1;

describe(`a map of ${ROWS} rows that is killed at ${KILLS} random moments`, () => {
  let sink: Sink;
  let commands: CommandLine;
  const rowOf = (body: string): number => Number((JSON.parse(body) as { id: string }).id);

  beforeAll(async () => {
    const seen = new Set<number>();
    sink = await Sink.start(({ body }) => {
      const n = rowOf(body);
      const isFirst = !seen.has(n);
      seen.add(n);
      if (isRefused(n)) return { status: 422 };
      if (isBusyAtFirst(n) && isFirst) return { status: 500 };
      return { body: JSON.stringify({ posted: String(n) }) };
    });
    commands = new CommandLine();
    const rows = Array.from({ length: ROWS }, (_, n) => `${n},"row, ${n}"\n`);
    writeFileSync(commands.path('rows.csv'), `id,memo\n${rows.join('')}`);
  });
  afterAll(async () => {
    await commands?.close();
    await sink?.close();
  });

  const args = () =>
    ['map', 'rows.csv', '--post', `${sink.url}/rows`, '-j', String(AT_ONCE), '--retries', '3', '--halt', '5%'].concat([
      '--key',
      'id',
      '--output',
      'results.ndjson',
      '--failed',
      'failed.csv',
      '--joblog',
      'log.tsv',
    ]);
  const file = (name: string): string => readFileSync(commands.path(name), 'utf8');

  it('settles each row once, and its calls, its results and its exit code are explained row by row', async () => {
    const moments = Array.from({ length: KILLS }, () => Math.floor(Math.random() * ROWS)).sort((a, b) => a - b);
    let kills = 0;
    for (const moment of moments) {
      const running = commands.start(args());
      await eventually(() => sink.calls.length >= moment || !running.running(), { timeoutMs: 120_000, everyMs: 2 });
      if (!running.running()) break;
      // Every second time its engine dies with it; otherwise the engine notices that it is alone.
      if (kills++ % 2 === 0) commands.killEngine();
      running.signal('SIGKILL');
      await running.ended;
    }
    const { exit, stderr } = await commands.run(args());
    expect({ exit, stderr: exit === 0 ? '' : stderr }).toEqual({ exit: 0, stderr: '' });

    const results = file('results.ndjson')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as ResultLine);
    expect(results.map(({ index, key }) => [index, key])).toEqual(
      Array.from({ length: ROWS }, (_, n) => [n, String(n)]),
    );
    const wrong = results.filter(({ index, state, output, error }) =>
      isRefused(index)
        ? state !== 'FAILED' || error?.status !== 422
        : state !== 'SUCCEEDED' || output?.body.posted !== String(index),
    );
    expect(wrong).toEqual([]);

    const failed = file('failed.csv').trimEnd().split('\r\n').slice(1);
    expect(failed.map((line) => Number(line.split(',')[0]))).toEqual(
      results.filter(({ index }) => isRefused(index)).map(({ index }) => index),
    );
    const log = file('log.tsv')
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t'));
    expect(log.map((fields) => Number(fields[0]))).toEqual(results.map(({ index }) => index + 1));

    // A row is one task; each call of it is an attempt of its own; and what is called again was cut off, or was told to.
    const calls = new Map<number, { readonly key: string; readonly attempt: string }[]>();
    for (const { body, headers } of sink.calls) {
      const known = calls.get(rowOf(body)) ?? [];
      const call = { key: String(headers['idempotency-key']), attempt: String(headers['x-execution-id']) };
      calls.set(rowOf(body), [...known, call]);
    }
    expect(calls.size).toBe(ROWS);
    const unexplained = [...calls].filter(
      ([, of]) =>
        new Set(of.map(({ key }) => key)).size !== 1 || new Set(of.map(({ attempt }) => attempt)).size !== of.length,
    );
    expect(unexplained).toEqual([]);
    const told = results.filter(({ index }) => isBusyAtFirst(index) && !isRefused(index)).length;
    expect(sink.calls.length - ROWS - told).toBeLessThanOrEqual(kills * AT_ONCE);
  }, 600_000);

  it('has nothing left to do when it is run once more, and says the same again', async () => {
    const [calls, results] = [sink.calls.length, file('results.ndjson')];
    writeFileSync(commands.path('results.ndjson'), '');
    expect((await commands.run(args())).exit).toBe(0);
    expect(sink.calls.length).toBe(calls);
    expect(file('results.ndjson')).toBe(results);
  }, 120_000);
});
