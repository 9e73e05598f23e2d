// Everything that must hold before a change is taken, as one command: build, format, lint, types, and every test. One
// line a stage; the last line is the sum of all tests. With names of stages or of jest projects: only those, for instance
// `node scripts/test.mjs build e2e`.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const room = mkdtempSync(join(tmpdir(), 'fanfold-verify-'));
const bin = (path) => [process.execPath, join(root, 'node_modules', path)];
const jest = (report, projects, ...more) => ({
  name: projects.join(', '),
  report: join(room, `${report}.json`),
  command: [
    ...bin('jest/bin/jest.js'),
    '--ci',
    '--silent',
    // What a killed service left open must not hold the run.
    '--forceExit',
    '--json',
    `--outputFile=${join(room, `${report}.json`)}`,
    ...more,
    '--selectProjects',
    ...projects,
  ],
});

const stages = [
  { name: 'build', needed: true, command: [process.execPath, join(root, 'scripts/build.mjs')] },
  { name: 'format', command: [...bin('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.'] },
  {
    name: 'lint',
    command: [...bin('oxlint/bin/oxlint'), '--type-aware', '--quiet', 'apps', 'libs', 'test', 'scripts'],
  },
  { name: 'types', command: [...bin('typescript7/bin/tsc'), '-p', 'tsconfig.json', '--noEmit'] },
  jest('unit', ['unit', 'architecture']),
  jest('integration', ['integration']),
  // Each of their files runs several processes: one file at a time is what two cores bear.
  jest('e2e', ['e2e', 'faults'], '--runInBand'),
];
const chosen = process.argv.slice(2);
const selected = chosen.length === 0 ? stages : stages.flatMap((stage) => pick(stage));

function pick(stage) {
  if (!stage.report) return chosen.includes(stage.name) ? [stage] : [];
  const projects = stage.name.split(', ').filter((name) => chosen.includes(name));
  if (projects.length === 0) return [];
  const inBand = stage.command.includes('--runInBand') ? ['--runInBand'] : [];
  return [jest(projects.join('-'), projects, ...inBand)];
}

const run = ({ command: [program, ...args] }) =>
  new Promise((resolveRun) => {
    const env = { ...process.env, FANFOLD_TEST_BRIEF: '1' };
    const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.once('error', (error) => resolveRun({ code: 1, output: String(error) }));
    child.once('close', (code) => resolveRun({ code: code ?? 1, output }));
    current = child;
  });
let current;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.once(signal, () => {
    current?.kill(signal);
    current?.once('close', () => process.exit(130));
  });
process.on('exit', () => rmSync(room, { recursive: true, force: true }));

/** What jest's report says: its counts, the slowest files, and every failure. */
const read = ({ report }) => {
  try {
    const result = JSON.parse(readFileSync(report, 'utf8'));
    // A file that could not even be run has no tests to count; it must not look like a success.
    const broken = result.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
    const failures = result.testResults.filter((file) => file.status === 'failed');
    return {
      passed: result.numPassedTests,
      failed: Math.max(result.numFailedTests + broken.length, result.success ? 0 : 1),
      failures: failures.map((file) => `${file.name.slice(root.length + 1)}\n${file.message}`),
    };
  } catch {
    return undefined;
  }
};

let passed = 0;
let failed = 0;
let broken = false;
for (const stage of selected) {
  const startedAt = performance.now();
  const { code, output } = await run(stage);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  const counts = stage.report ? read(stage) : undefined;
  const told = counts ? `, ${counts.passed} passed, ${counts.failed} failed` : '';
  process.stdout.write(`${code === 0 ? 'ok    ' : 'FAILED'} ${stage.name} (${seconds} s)${told}\n`);
  passed += counts?.passed ?? 0;
  failed += counts?.failed ?? 0;
  if (code === 0) continue;
  broken = true;
  process.stdout.write(`${counts ? counts.failures.join('\n') : output}\n`);
  if (stage.needed) break;
}
process.stdout.write(`Tests: ${passed} passed, ${failed} failed\n`);
process.exitCode = broken || failed > 0 ? 1 : 0;
