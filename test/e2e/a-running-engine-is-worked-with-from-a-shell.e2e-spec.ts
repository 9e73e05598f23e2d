import { writeFileSync } from 'node:fs';
import { CommandLine, type CommandEnd } from '../support/command-line.js';
import { inModes } from '../support/in-every-mode.js';

inModes(
  ['services without a broker'],
  'from a shell',
  (stage) => {
    let commands: CommandLine;
    const fanfold = (...args: string[]): Promise<CommandEnd> => commands.run(args);
    /** What a command prints with `--json`; it must end with 0. */
    const json = async <T>(...args: string[]): Promise<T> => {
      const { exit, stdout, stderr } = await fanfold(...args, '--json');
      expect({ exit, stderr: exit === 0 ? '' : stderr }).toEqual({ exit: 0, stderr: '' });
      return JSON.parse(stdout) as T;
    };

    beforeAll(() => {
      const { url, key } = stage.engine.api;
      commands = new CommandLine({ FANFOLD_URL: url, FANFOLD_API_KEY: key });
      writeFileSync(commands.path('rows.csv'), `n\n${[0, 1, 2, 3, 4].map((n) => `${n}\n`).join('')}`);
    });
    afterAll(() => commands?.close());

    const started = async (): Promise<string> => {
      const name = stage.name();
      const node = { type: 'HTTP', config: { method: 'POST', url: stage.sink.url, body: '${item}' } };
      const rows = { items: { dataset: '${input.dataset}' }, node };
      writeFileSync(
        commands.path('pipeline.json'),
        JSON.stringify({ name, nodes: [{ id: 'rows', type: 'SPAWNER', config: rows }] }),
      );
      expect(await json('pipeline', 'apply', 'pipeline.json')).toEqual({ name, version: 1 });
      const { stdout: dataset } = await fanfold('dataset', 'upload', 'rows.csv');
      const input = JSON.stringify({ dataset: dataset.trim() });
      const { exit, stderr } = await fanfold('run', name, '--input', input, '--watch');
      expect(exit).toBe(1);
      return /^[0-9a-f-]{36}$/m.exec(stderr)![0];
    };

    it('a pipeline is published, a list uploaded, an execution watched, and what failed is seen and run again', async () => {
      stage.sink.answer(({ body }) => ({ status: /[13]/.test(body) ? 422 : 200 }));
      const id = await started();
      expect(await json('show', id)).toMatchObject({ state: 'FAILED', fanOuts: [{ succeeded: 3, failed: 2 }] });
      expect(await json('ps', '--state', 'failed', '-n', '1')).toMatchObject([{ id }]);
      expect(await json<object[]>('children', id, '--state', 'failed')).toMatchObject([
        { itemIndex: 1 },
        { itemIndex: 3 },
      ]);
      const [group] = await json<{ fingerprint: string; count: number }[]>('failures', id);
      expect(group).toMatchObject({ count: 2 });
      expect((await fanfold('results', id, '--failed')).stdout).toMatch(/^n,fanfold_error_class.*\r\n1,.*\r\n3,/);
      expect((await fanfold('why', id)).stdout).toMatch(/reason +SETTLED/);
      const told = (await fanfold('events', id, '--json')).stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { seq: number; type: string });
      expect(told.map(({ seq }) => seq)).toEqual(told.map((_, n) => n + 1));
      expect(told.at(-1)).toMatchObject({ type: 'execution.failed' });
      const redrive = ['redrive', id, '--fingerprint', group!.fingerprint];
      expect(await json(...redrive, '--dry-run')).toEqual({ matched: 2, redriven: 0 });
      stage.sink.answer(() => ({}));
      expect(await json(...redrive)).toEqual({ matched: 2, redriven: 2 });
      await stage.engine.api.settled(id, 30_000);
      const { stdout } = await fanfold('results', id);
      expect(
        stdout
          .trimEnd()
          .split('\n')
          .map((line) => (JSON.parse(line) as { state: string }).state),
      ).toEqual(Array(5).fill('SUCCEEDED'));
    });

    it('events are followed until the execution has settled, and what a command wrote is read', async () => {
      const name = stage.name();
      const command = ['sh', '-c', 'echo working >&2; sleep 0.3; exit 7'];
      const node = { id: 'a', type: 'SHELL', config: { command }, retry: { maxAttempts: 1 } };
      writeFileSync(commands.path('shell.json'), JSON.stringify({ name, nodes: [node] }));
      await json('pipeline', 'apply', 'shell.json');
      const id = (await fanfold('run', name)).stdout.trim();
      const followed = await fanfold('events', id, '--follow');
      expect(followed.stdout).toMatch(/^1  .*execution\.created[^]*attempt\.started  a #1[^]*execution\.failed/);
      expect((await fanfold('logs', id)).stdout).toMatch(/  error  a #1  working\n$/);
      expect((await fanfold('logs', id, '--attempt', 'x')).exit).toBe(2);
    });

    it('numbers go out and come back with every digit', async () => {
      const name = stage.name();
      const big = '12345678901234567890.10';
      const nodes = `[{"id": "a", "type": "TRANSFORM", "config": {"output": {"given": "\${input.n}", "own": ${big}}}}]`;
      writeFileSync(commands.path('exact.json'), `{"name": "${name}", "nodes": ${nodes}}`);
      await json('pipeline', 'apply', 'exact.json');
      const { exit, stderr } = await fanfold('run', name, '--input', `{"n": ${big}}`, '--label', 'a=b', '--watch');
      expect(exit).toBe(0);
      const { stdout } = await fanfold('show', /^[0-9a-f-]{36}$/m.exec(stderr)![0], '--json');
      expect(stdout).toContain(`"own":${big}`);
      expect(stdout).toContain(`"given":${big}`);
    });

    it('tables are for people, JSON for programs, and every refusal says what was wrong', async () => {
      expect((await fanfold('executors')).stdout).toMatch(/^NAME +STATE +SLOTS/);
      expect(await json<object[]>('executors')).toMatchObject([{ state: 'LIVE' }]);
      expect(await json<object[]>('destinations')).toEqual(expect.any(Array));
      expect(await json<object[]>('pipeline', 'list')).toEqual(expect.any(Array));
      const refused = await fanfold('pause', '00000000-0000-0000-0000-000000000000');
      expect(refused).toMatchObject({ exit: 1, stdout: '' });
      expect(refused.stderr).toMatch(/^fanfold: there is no execution .*404.*fanfold ps lists/);
      expect(await fanfold('children')).toMatchObject({ exit: 2, stdout: '' });
      writeFileSync(commands.path('wrong.json'), '{"name": "x", "nodes": [{"id": "a", "type": "HTTQ"}]}');
      const wrong = await fanfold('pipeline', 'apply', 'wrong.json');
      expect(wrong.exit).toBe(1);
      expect(wrong.stderr).toMatch(/nodes\[0\]/);
      writeFileSync(commands.path('key'), 'nonsense\n');
      const unknown = await fanfold('ps', '--key-file', 'key');
      expect(unknown.exit).toBe(1);
      expect(unknown.stderr).toMatch(/does not know this API key.*--key-file/);
    });

    it('a map runs on the engine that is named', async () => {
      stage.sink.answer(() => ({}));
      stage.sink.reset();
      const { exit, stdout } = await fanfold('map', 'rows.csv', '--post', stage.sink.url);
      expect(exit).toBe(0);
      expect(stdout.trimEnd().split('\n')).toHaveLength(5);
      expect(stage.sink.calls).toHaveLength(5);
      expect((await json<object[]>('ps', '--label', 'fanfold.map=yes')).length).toBe(1);
    });
  },
  async () => ({ executors: 1 }),
);
