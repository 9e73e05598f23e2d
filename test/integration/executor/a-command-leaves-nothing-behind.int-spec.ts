import { transformFileSync, type Options } from '@swc/core';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { begun } from '../../support/begun.js';
import { eventually } from '../../support/eventually.js';
import { errorOf, outputOf, Performing } from './performing.js';

const toCommonJs: Options = {
  swcrc: false,
  module: { type: 'commonjs' },
  jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
};

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    // A zombie that nobody has waited for yet counts as ended.
    return !/^\d+ \(.*\) Z/.test(existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '');
  } catch {
    return false;
  }
};

describe('a SHELL node', () => {
  let performing: Performing;
  let folder: string;
  beforeAll(async () => {
    performing = await Performing.start();
    folder = mkdtempSync(join(tmpdir(), 'fanfold-shell-'));
  });
  beforeEach(() => {
    performing.configure({});
    performing.lines.length = 0;
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await performing.stop();
  });
  const shell = (command: unknown[], config: Record<string, unknown> = {}, given = {}) =>
    performing.perform({ type: 'SHELL', config: { command, ...config } }, given);
  const script = (source: string, ...args: string[]) => ['sh', '-c', source, ...args];
  /** The pids that a command writes into a file, one a line. */
  const pidsIn = (file: string, count: number) =>
    eventually(() => {
      const pids = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : [];
      expect(pids).toHaveLength(count);
      expect(pids.every((pid) => pid > 1)).toBe(true);
      return pids;
    });

  it('passes arguments as they are, data never as part of a script', async () => {
    const item = `{"text":"$(touch /tmp/owned); \\"quoted\\" \`x\`","n":9007199254740993,"yes":true}`;
    const outcome = await shell(['printf', '%s|%s|%s', '${item.text}', '${item.n}', '${item.yes}'], {}, { item });
    expect(JSON.parse(outputOf(outcome))).toBe('$(touch /tmp/owned); "quoted" `x`|9007199254740993|true');
  });

  it('takes JSON on stdout as its exact text and anything else as a string', async () => {
    expect(outputOf(await shell(['cat'], { stdin: '${item}' }, { item: '{"id":9007199254740993}' }))).toBe(
      '{"id":9007199254740993}',
    );
    expect(outputOf(await shell(['echo', 'plain']))).toBe('"plain\\n"');
    expect(outputOf(await shell(['printf', '\\377\\000x']))).toBe('"\ufffd\\u0000x"');
    expect(outputOf(await shell(['true'], { stdin: 'x'.repeat(1_000_000) }))).toBe('""');
  });

  it('gives a process a small environment of its own', async () => {
    process.env.DATABASE_URL = 'postgres://secret';
    const executionId = '01890a5d-ac96-8774-bcce-b302099a8057';
    const outcome = await shell(
      ['env'],
      { env: { NAME: '${item.n}' } },
      { executionId, attempt: 3, item: '{"n":1.50}' },
    );
    delete process.env.DATABASE_URL;
    const lines = (JSON.parse(outputOf(outcome)) as string).trim().split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'NAME=1.50',
        `FANFOLD_EXECUTION_ID=${executionId}`,
        `FANFOLD_IDEMPOTENCY_KEY=${executionId}.node`,
        'FANFOLD_ATTEMPT=3',
      ]),
    );
    const names = new Set(lines.map((line) => line.split('=')[0]!));
    for (const name of [
      'PATH',
      'HOME',
      'LANG',
      'TMPDIR',
      'NAME',
      'FANFOLD_EXECUTION_ID',
      'FANFOLD_IDEMPOTENCY_KEY',
      'FANFOLD_ATTEMPT',
    ])
      names.delete(name);
    expect([...names]).toEqual([]);
  });

  it.each([
    [1, 'TRANSIENT'],
    [2, 'PERMANENT'],
    [3, 'TRANSIENT'],
    [64, 'PERMANENT'],
    [78, 'PERMANENT'],
    [79, 'TRANSIENT'],
  ])('that exits with %i is %s, with its last words', async (code, class_) => {
    const outcome = await shell(script('echo first >&2; echo "row is bad" >&2; exit $0', String(code)));
    expect(outcome).toMatchObject({ class: class_, error: { code: 'SHELL.EXITED', exitCode: code } });
    expect(errorOf(outcome).message).toBe(`the command exited with code ${code}: row is bad`);
    expect(performing.lines).toEqual([
      { level: 'error', message: 'first' },
      { level: 'error', message: 'row is bad' },
    ]);
  });

  it('obeys its own exit codes and error rules', async () => {
    expect(await shell(script('exit 7'), { permanentExitCodes: [7] })).toMatchObject({ class: 'PERMANENT' });
    expect(await shell(script('exit 2'), { permanentExitCodes: [7] })).toMatchObject({ class: 'TRANSIENT' });
    const rules = [{ match: 'nothing to do', treatAs: 'SUCCEEDED' }];
    const node = {
      type: 'SHELL',
      config: { command: script('echo 42; echo nothing to do >&2; exit 1') },
      errors: rules,
    };
    expect(await performing.perform(node)).toEqual({ kind: 'succeeded', output: '42' });
  });

  it('that is killed may be tried again; one that is not there never', async () => {
    expect(await shell(script('kill -9 $$'))).toMatchObject({
      class: 'TRANSIENT',
      error: { code: 'SHELL.KILLED', signal: 'SIGKILL' },
    });
    expect(await shell(['/no/such/program'])).toMatchObject({
      class: 'PERMANENT',
      error: { code: 'SHELL.NOT_STARTED' },
    });
    expect(await shell(['/etc/passwd'])).toMatchObject({ class: 'PERMANENT', error: { code: 'SHELL.NOT_STARTED' } });
    expect(await shell(['echo', '${item}'], {}, { item: '"a\\u0000b"' })).toMatchObject({
      class: 'PERMANENT',
      error: { code: 'SHELL.NOT_STARTED' },
    });
  });

  it('that says that a signal ended something is not taken for one that a signal ended', async () => {
    expect(await shell(script('exit 137'))).toMatchObject({ error: { code: 'SHELL.EXITED', exitCode: 137 } });
    expect(await shell(script('kill -s TERM $$'))).toMatchObject({
      error: { code: 'SHELL.KILLED', signal: 'SIGTERM' },
    });
  });

  it('runs the same however long its arguments are, and whatever its variables are called', async () => {
    const long = 'x'.repeat(100_000);
    expect(outputOf(await shell(['printf', '%s', '${item}'], {}, { item: JSON.stringify(long) }))).toBe(
      JSON.stringify(long),
    );
    const env = { lower: 'a b', IFS: 'x', UID: '7' };
    const lines = (JSON.parse(outputOf(await shell(['env'], { env }))) as string).split('\n');
    expect(lines).toEqual(expect.arrayContaining(['lower=a b', 'IFS=x', 'UID=7']));
  });

  it('is started as the system starts it, whoever does', async () => {
    const file = join(folder, 'interpreted');
    const started = async (source: string) => {
      writeFileSync(file, source);
      chmodSync(file, 0o755);
      return shell([file]);
    };
    expect(outputOf(await started('#!/bin/sh\necho run\n'))).toBe('"run\\n"');
    // Gone between two attempts, as what a command needs may be.
    expect(await started('#!/no/such/interpreter\necho run\n')).toMatchObject({
      class: 'PERMANENT',
      error: { code: 'SHELL.NOT_STARTED' },
    });
    rmSync(file);
    expect(await shell([file])).toMatchObject({ class: 'PERMANENT', error: { code: 'SHELL.NOT_STARTED' } });
  });

  it('may be tried again where the process that started it is lost, and the next one runs', async () => {
    const file = join(folder, 'lost');
    const outcome = begun(shell(script('echo $PPID > "$0"; echo $$ >> "$0"; sleep 300', file)));
    const [lane, command] = await pidsIn(file, 2);
    expect(lane).not.toBe(process.pid);
    process.kill(lane!, 'SIGKILL');
    expect(await outcome).toMatchObject({ class: 'TRANSIENT', error: { code: 'SHELL.LOST' } });
    await eventually(() => !isAlive(command!));
    expect(outputOf(await shell(['echo', 'next']))).toBe('"next\\n"');
  });

  it('gets nothing of what another wrote, even where that left somebody behind', async () => {
    // It leaves its group, so it is not ended with it, and holds on to the output.
    const file = join(folder, 'away');
    const away = `setsid sh -c 'echo > "$0"; sleep 0.3; echo late' "$0" & while [ ! -e "$0" ]; do sleep 0.02; done`;
    const [first, second] = [begun(shell(script(away, file))), begun(shell(script('sleep 0.1; echo own')))];
    expect(outputOf(await second)).toBe('"own\\n"');
    expect(outputOf(await shell(['echo', 'next']))).toBe('"next\\n"');
    expect(outputOf(await first)).toBe('"late\\n"');
  });

  it('is stopped when it writes more than an output may have', async () => {
    expect(await shell(['yes'])).toMatchObject({ class: 'PERMANENT', error: { code: 'OUTPUT.TOO_LARGE' } });
  });

  it('runs nothing unless it is allowed', async () => {
    performing.configure({ allowShell: false });
    const file = join(folder, 'never');
    for (const node of [
      { type: 'SHELL', config: { command: ['touch', file] } },
      {
        type: 'SCRIPT',
        config: { language: 'node', source: `require('fs').writeFileSync(${JSON.stringify(file)}, '')` },
      },
    ])
      expect(await performing.perform(node)).toMatchObject({
        class: 'PERMANENT',
        error: { code: 'SHELL.NOT_ALLOWED' },
      });
    expect(existsSync(file)).toBe(false);
  });

  it('ends with everything it started when it is told to', async () => {
    const file = join(folder, 'tree');
    const controller = new AbortController();
    const source = 'sleep 300 & echo $! >> "$0"; (sleep 300 & echo $! >> "$0"; wait) & echo $$ >> "$0"; wait';
    const outcome = begun(shell(script(source, file), {}, { signal: controller.signal }));
    const pids = await pidsIn(file, 3);
    controller.abort(new Error('cancelled'));
    expect(await outcome).toEqual({ kind: 'interrupted' });
    await eventually(() => pids.every((pid) => !isAlive(pid)));
  });

  it('is killed two seconds after it did not want to end', async () => {
    const file = join(folder, 'stubborn');
    const controller = new AbortController();
    const source = `trap '' TERM; echo $$ > "$0"; while :; do sleep 0.05; done`;
    const outcome = begun(shell(script(source, file), {}, { signal: controller.signal }));
    const [pid] = await pidsIn(file, 1);
    const from = performance.now();
    controller.abort(new Error('timeout'));
    expect(await outcome).toEqual({ kind: 'interrupted' });
    expect(performance.now() - from).toBeGreaterThan(1_900);
    await eventually(() => !isAlive(pid!));
  });

  it('does not leave a process in the background, nor wait for it', async () => {
    const file = join(folder, 'background');
    expect(outputOf(await shell(script('sleep 300 & echo $! > "$0"; echo done', file)))).toBe('"done\\n"');
    const [pid] = await pidsIn(file, 1);
    await eventually(() => !isAlive(pid!));
  });

  describe('of an executor that is gone', () => {
    const names = [
      'command-lane',
      'command-lanes',
      'inherited-variables',
      'known-program',
      'lane-program',
      'process-group',
      'reaper',
    ];
    const starts = {
      itself: (argv: string) => `
        const { ProcessGroup } = require('./process-group.js');
        const [program, ...args] = ${argv};
        new ProcessGroup(require('node:child_process').spawn(program, args, { detached: true }));`,
      'through a lane': (argv: string) => `
        const { CommandLanes } = require('./command-lanes.js');
        const env = { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR };
        new CommandLanes().start({ argv: ${argv}, env, stdin: null }).then((started) => {
          if (started === null) throw new Error('this system has no lanes');
          started.stdout.resume();
          started.ended.catch(() => undefined);
        });`,
    };
    /** A process of its own that starts a command as an executor does, and then does `after`. */
    const executor = (how: keyof typeof starts, file: string, after: string) => {
      const from = join(__dirname, '../../../apps/executor/src/nodes/process');
      const to = mkdtempSync(join(folder, 'executor-'));
      for (const name of names)
        writeFileSync(join(to, `${name}.js`), transformFileSync(join(from, `${name}.ts`), toCommonJs).code);
      const argv = `['sh', '-c', 'sleep 300 & echo $! > "$0"; echo $$ >> "$0"; wait', ${JSON.stringify(file)}]`;
      writeFileSync(join(to, 'executor.js'), `${starts[how](argv)} process.stdin.on('data', () => { ${after} });`);
      const temporary = join(to, 'temporary');
      mkdirSync(temporary);
      const env = { ...process.env, TMPDIR: temporary };
      const child = spawn(process.execPath, [join(to, 'executor.js')], {
        stdio: ['pipe', 'inherit', 'inherit'],
        detached: true,
        env,
      });
      return { child, temporary };
    };

    describe.each(['itself', 'through a lane'] as const)('and started it %s', (how) => {
      it.each([
        ['ends', 'process.exit(0)'],
        ['is killed with its whole group', 'process.kill(-process.pid, "SIGKILL")'],
      ])('is killed when it %s', async (_how, after) => {
        const file = join(folder, `orphan-${how.length}-${after.length}`);
        const { child, temporary } = executor(how, file, after);
        const pids = await pidsIn(file, 2);
        child.stdin.write('now');
        await once(child, 'exit');
        await eventually(() => pids.every((pid) => !isAlive(pid)));
        await eventually(() => expect(readdirSync(temporary)).toEqual([]));
      });
    });
  });
});

describe('a SCRIPT node', () => {
  let performing: Performing;
  beforeAll(async () => {
    performing = await Performing.start();
  });
  afterAll(() => performing.stop());
  const run = (language: string, source: string, item = '{"n": 20, "text": "naïve 🜚"}') =>
    performing.perform({ type: 'SCRIPT', config: { language, source } }, { item });

  it('runs Python and Node on the input, in any style', async () => {
    const python =
      'import json, sys\nrow = json.load(sys.stdin)\nprint(json.dumps({"n": row["n"] + 1, "text": row["text"]}, ensure_ascii=False))';
    const commonJs = `const row = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));\nconsole.log(JSON.stringify({ n: row.n + 1, text: row.text }))`;
    const module = `import { text } from 'node:stream/consumers';\nconst row = JSON.parse(await text(process.stdin));\nconsole.log(JSON.stringify({ n: row.n + 1, text: row.text }))`;
    for (const [language, source] of [
      ['python', python],
      ['node', commonJs],
      ['node', module],
    ] as const)
      expect(JSON.parse(outputOf(await run(language, source)))).toEqual({ n: 21, text: 'naïve 🜚' });
  });

  it('takes its source as it is, however long, and no template in it', async () => {
    expect(outputOf(await run('node', `/* ${'x'.repeat(300_000)} */ const n = 1; console.log(\`\${n}\`)`))).toBe('1');
  });

  it('fails with the last words of the script', async () => {
    const outcome = await run('python', 'raise ValueError("bad row")');
    expect(outcome).toMatchObject({
      class: 'TRANSIENT',
      error: { code: 'SHELL.EXITED', message: 'the script exited with code 1: ValueError: bad row' },
    });
  });
});
