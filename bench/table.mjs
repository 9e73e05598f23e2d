// Writes the table of measurements in README.md from the files under bench/results, between two marks. `--check` writes
// nothing, and ends with 1 where the table is not what it would write. `--results <folder>` and `--readme <file>` name others.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './support/root.mjs';

const BEGIN = '<!-- measurements: begin; made by bench/table.mjs -->';
const END = '<!-- measurements: end -->';

/** Of each scenario, the figures that are shown: what the column is called, and how a value is told. Ratios come first. */
const number = (value) => value.toLocaleString('en-US', { maximumFractionDigits: 3 });
const percent = (value) => `${(value * 100).toFixed(0)} %`;
const times = (value) => `${number(value)}x`;
const ms = (value) => `${number(value)} ms`;
const perSecond = ['settledPerSecond', 'children/s', number];

const TABLES = {
  throughput: [
    ['ratioToLimit', 'of the limit', percent],
    ['children', 'children', number],
    ['executors', 'executors', number],
    perSecond,
    ['limitPerSecond', 'limit/s', number],
    ['bytesPerChild', 'bytes/child', number],
  ],
  peers: [
    ['peer', 'peer', String],
    ['timesPeer', 'Fanfold / peer', times],
    ['ratioToLimit', 'Fanfold of the limit', percent],
    ['peerVersion', 'version', String],
    ['store', 'store', String],
    ['children', 'children', number],
    ['settledPerSecond', 'Fanfold children/s', number],
    ['peerPerSecond', 'peer children/s', number],
    ['note', 'remark', String],
  ],
  'peers, one at a time': [
    ['peer', 'peer', String],
    ['timesPeer', 'Fanfold p50 / peer p50', times],
    ['peerVersion', 'version', String],
    ['store', 'store', String],
    ['p50Ms', 'Fanfold p50', ms],
    ['p99Ms', 'Fanfold p99', ms],
    ['peerP50Ms', 'peer p50', ms],
    ['peerP99Ms', 'peer p99', ms],
    ['note', 'remark', String],
  ],
  latency: [
    ['under', 'beside', String],
    ['p50Ms', 'p50', ms],
    ['p99Ms', 'p99', ms],
    ['streamP50Ms', 'p50, stream', ms],
    ['streamP99Ms', 'p99, stream', ms],
  ],
  growth: [
    ['children', 'children', number],
    ['settledPerSecondToFirst', 'rate, to the smallest', number],
    ['bytesPerChildToFirst', 'bytes/child, to the smallest', number],
    perSecond,
    ['bytesPerChild', 'bytes/child', number],
    ['walBytesPerChild', 'WAL bytes/child', number],
  ],
  retries: [['ratio', 'of the rate without failures', percent], ['children', 'children', number], perSecond],
  failures: [
    ['children', 'children', number],
    perSecond,
    ['redrivenPerSecond', 'redriven/s', number],
    ['redriveAnswerMs', 'answer to the redrive', ms],
  ],
  'three-nodes': [
    ['ratio', 'of the rate with one node', percent],
    ['children', 'children', number],
    perSecond,
    ['nodesPerSecond', 'nodes/s', number],
  ],
  'first-child': [
    ['children', 'rows', number],
    ['firstStartMs', 'until the first child runs', ms],
  ],
  contention: [
    ['ratio', 'of the rate with few', percent],
    ['connections', 'connections', number],
    ['few', 'few', number],
    ['children', 'children', number],
    perSecond,
  ],
  reads: [
    ['executionP50Ms', 'execution p50', ms],
    ['executionP99Ms', 'execution p99', ms],
    ['firstPageP50Ms', 'children p50', ms],
    ['firstPageP99Ms', 'children p99', ms],
    ['nextPageP99Ms', 'next page p99', ms],
  ],
  watchers: [
    ['watchers', 'watchers', number],
    ['apiCpuSecondsPerSecond', 'api processor s/s', number],
    ['ratioToUnwatched', 'of the unwatched rate', percent],
    ['settledEventP50Ms', 'told after, p50', ms],
    ['settledEventP99Ms', 'told after, p99', ms],
  ],
  ingest: [['children', 'rows', number], perSecond, ['kills', 'kills', number], ['settleSeconds', 'seconds', number]],
};
const tableFor = ({ scenario, executions }) => (scenario === 'peers' && executions ? 'peers, one at a time' : scenario);
/** Two lines with the same of these are about the same. */
const SUBJECT = ['scenario', 'mode', 'children', 'peer', 'under', 'executors', 'connections', 'watchers'];

/** @param files `[{name, text}]`, in any order */
const tableOf = (files) => {
  const runs = files.map(({ text }) =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  );
  const newest = new Map();
  for (const [{ run }, ...lines] of runs.toSorted(([a], [b]) => (a.run.date < b.run.date ? -1 : 1)))
    for (const line of lines)
      if (TABLES[tableFor(line)]) newest.set(JSON.stringify(SUBJECT.map((name) => line[name] ?? null)), { run, line });
  if (newest.size === 0) return 'No measurements are kept yet.';
  const shown = [...newest.values()];
  const sections = Object.entries(TABLES).flatMap(([name, columns]) => {
    const rows = shown.filter(({ line }) => tableFor(line) === name).map(({ line }) => told(line));
    return rows.length === 0 ? [] : [`**${name}**\n\n${grid(['mode', ...columns], rows)}`];
  });
  const machines = new Set(shown.map(({ run }) => machine(run)));
  return [...sections, ...machines].join('\n\n');
};

/** With what a peer has instead of figures. */
const told = (line) => {
  if (line.error) return { ...line, note: 'did not run' };
  if (line.stopped) return { ...line, peerPerSecond: null, note: `stopped at ${number(line.peerChildren)}` };
  return line;
};

/** Columns in which nobody has a value are left out. */
const grid = ([mode, ...columns], rows) => {
  const used = columns.filter(([name]) => rows.some((row) => row[name] !== null && row[name] !== undefined));
  const cell = (value, tell) => (value === null || value === undefined ? '–' : tell(value));
  const lines = [
    [mode, ...used.map(([, title]) => title)],
    ['---', ...used.map(() => '---')],
    ...rows.map((row) => [row.mode, ...used.map(([name, , tell]) => cell(row[name], tell))]),
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
};

const machine = ({ date, commit, changed, cpu, cores, memoryMb, node, postgres, postgresSettings, rabbitmq }) => {
  const settings = Object.entries(postgresSettings).map(([name, value]) => `${name} ${value}`);
  const broker = rabbitmq ? `, RabbitMQ ${rabbitmq}` : '';
  return (
    `Measured on ${date.slice(0, 10)} at ${String(commit).slice(0, 10)}${changed ? ' with changes' : ''}: ${cores} cores of ${cpu}, ` +
    `${number(Math.round(memoryMb / 1_024))} GB, Node ${node}, Postgres ${postgres} (${settings.join(', ')})${broker}. ` +
    `Look at the ratios: the rest is the machine's.`
  );
};

const {
  values: { results, readme, check },
} = parseArgs({
  options: {
    results: { type: 'string', default: join(root, 'bench/results') },
    readme: { type: 'string', default: join(root, 'README.md') },
    check: { type: 'boolean', default: false },
  },
});
const names = existsSync(results) ? readdirSync(results).filter((name) => name.endsWith('.ndjson')) : [];
const table = tableOf(
  names.toSorted().map((name) => ({ name, text: readFileSync(join(resolve(results), name), 'utf8') })),
);
const text = readFileSync(readme, 'utf8');
const [before, after] = [text.indexOf(BEGIN), text.indexOf(END)];
if (before < 0 || after < before) throw new Error(`${readme} has no marks: ${BEGIN} and ${END}`);
const made = `${text.slice(0, before + BEGIN.length)}\n\n${table}\n\n${text.slice(after)}`;
if (made !== text && check) {
  process.stderr.write(`the table in ${readme} is not what bench/table.mjs makes of ${results}\n`);
  process.exitCode = 1;
} else if (made !== text) writeFileSync(readme, made);
