// `fanfold map` beside `xargs -P` on the same short commands; and how long its first words and a list of ten rows take.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { asProgram } from './support/scenario.mjs';
import { median, rounded, secondsSince } from './support/statistics.mjs';

const HELP_ROUNDS = 9;

async function* run({ build }, { commands, atOnce, millis, rounds }) {
  // The database server may run as another user, who must be able to come here.
  const room = mkdtempSync(join(tmpdir(), 'fanfold-bench-map-'));
  chmodSync(room, 0o711);
  const remove = () => rmSync(room, { recursive: true, force: true });
  process.once('exit', remove);
  const program = build.path('apps/cli/src/main.js');
  const command = ['sh', '-c', `sleep ${millis / 1_000}`, 'sh'];
  const list = (name, rows) =>
    writeFileSync(join(room, name), `n\n${Array.from({ length: rows }, (_, n) => `${n}\n`).join('')}`);
  const fanfold = (...args) => ended(spawn(process.execPath, [program, ...args], inside(room)), 'fanfold');
  const map = (name, rows) =>
    fanfold('map', rows, '--name', name, '-j', String(atOnce), '-o', 'out', '--joblog', 'log', '--', ...command, '{n}');
  try {
    list('rows.csv', commands);
    list('ten.csv', 10);
    await map('warm-up', 'ten.csv');
    const [ours, theirs, whole, ten] = [[], [], [], []];
    for (let round = 0; round < rounds; round++) {
      const xargs = spawn('xargs', ['-P', String(atOnce), '-n', '1', ...command], inside(room, 'pipe'));
      const xargsAt = performance.now();
      xargs.stdin.end(Array.from({ length: commands }, (_, n) => `${n}\n`).join(''));
      await ended(xargs, 'xargs');
      theirs.push(commands / secondsSince(xargsAt));
      const mapAt = performance.now();
      await map(`round-${round}`, 'rows.csv');
      whole.push(secondsSince(mapAt));
      ours.push(commands / secondsOf(readFileSync(join(room, 'log'), 'utf8')));
      const tenAt = performance.now();
      await map(`ten-${round}`, 'ten.csv');
      ten.push(secondsSince(tenAt));
    }
    const help = [];
    for (let n = 0; n < HELP_ROUNDS; n++) help.push(await firstOutputMs(program, room));
    yield {
      children: commands,
      settledPerSecond: rounded(median(ours)),
      limitPerSecond: rounded(median(theirs)),
      ratioToLimit: rounded(median(ours.map((rate, n) => rate / theirs[n])), 2),
      ratioByRound: ours.map((rate, n) => rounded(rate / theirs[n], 2)),
      atOnce,
      millis,
      wholeSeconds: rounded(median(whole), 1),
      tenRowsSeconds: rounded(median(ten), 2),
      helpMs: rounded(median(help)),
      fsck: await fsck(build, room),
    };
  } finally {
    process.off('exit', remove);
    remove();
  }
}

/** From the start of the first row to the end of the last, by the log. */
const secondsOf = (log) => {
  const rows = log.trimEnd().split('\n').slice(1);
  const spans = rows.map((row) => row.split('\t').slice(2, 4).map(Number));
  const begin = Math.min(...spans.map(([at]) => at));
  return Math.max(...spans.map(([at, took]) => at + took)) - begin;
};

const inside = (room, stdin = 'ignore') => ({
  cwd: room,
  env: { PATH: process.env.PATH, HOME: process.env.HOME ?? '/' },
  stdio: [stdin, 'ignore', 'pipe'],
});

const ended = async (child, name) => {
  let said = '';
  child.stderr.on('data', (chunk) => (said += chunk));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`${name} ended with ${code}:\n${said.slice(-2_000)}`);
};

const firstOutputMs = async (program, room) => {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [program, '--help'], { ...inside(room), stdio: ['ignore', 'pipe', 'ignore'] });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const took = performance.now() - startedAt;
  await new Promise((resolve) => child.once('close', resolve));
  return took;
};

/** Over the data folder, which needs an engine on it. */
const fsck = async (build, room) => {
  const env = { ...inside(room).env, PORT: '0', LOG_LEVEL: 'error' };
  const engine = spawn(process.execPath, [build.path('apps/standalone/src/main.js')], {
    cwd: room,
    env,
    stdio: 'ignore',
  });
  try {
    for (let waitedMs = 0; waitedMs < 60_000; waitedMs += 200) {
      const options = { cwd: room, env, encoding: 'utf8' };
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [build.path('apps/cli/src/main.js'), 'fsck'],
        options,
      );
      if (status === 0 || status === 1) {
        if (status === 1) process.stderr.write(stdout + stderr);
        return stdout.trim().split('\n').at(-1).replace('fsck: ', '');
      }
      await sleep(200);
    }
    return 'no engine';
  } finally {
    engine.kill('SIGTERM');
    await new Promise((resolve) => engine.once('close', resolve));
  }
};

export const map = await asProgram(
  { name: 'map', options: { commands: 2_000, atOnce: 2, millis: 10, rounds: 3, mode: ['standalone'] }, run },
  import.meta,
);
