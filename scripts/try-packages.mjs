// Packs `fanfold` and `@fanfold/sdk`, installs both in a fresh folder, and uses them there as a stranger would: by import
// and by require, by the types of both, and an engine from the command with a handler of the folder. Needs the registry.
//
// `node scripts/build.mjs && node scripts/try-packages.mjs [version of Node …]`; without versions, on this Node.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const room = mkdtempSync(join(realpathSync(tmpdir()), 'fanfold-packages-'));
process.on('exit', () => rmSync(room, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));

/** What a program printed; ends here with it where the program fails. */
function run(program, args, cwd, env = process.env) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8' });
  if (status === 0) return stdout;
  process.stderr.write(`${program} ${args.join(' ')}: ${status}\n${stdout}${stderr}`);
  process.exit(1);
}

const packages = run(process.execPath, [join(root, 'scripts/pack.mjs'), join(room, 'packages')], root)
  .trim()
  .split('\n');
const home = join(room, 'home');
mkdirSync(home);
for (const [name, text] of Object.entries(files())) writeFileSync(join(home, name), text);
run('npm', ['install', '--no-audit', '--no-fund', ...packages], home);
process.stdout.write('installed\n');
for (const kind of ['mts', 'cts']) {
  const tsc = join(root, 'node_modules/typescript7/bin/tsc');
  const options = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--skipLibCheck',
    '--types',
    '',
  ];
  run(process.execPath, [tsc, ...options, '--lib', 'es2023,dom,dom.asynciterable', `typed.${kind}`], home);
}
process.stdout.write('types: import and require\n');

const versions = process.argv.slice(2);
for (const version of versions.length > 0 ? versions : [null]) {
  const node = version === null ? process.execPath : nodeOf(version);
  for (const program of ['imported.mjs', 'required.cjs']) run(node, [program], home);
  const mapped = run(node, [bin('fanfold'), 'map', 'list.csv', '-j', '2', '--', 'echo', '{a}'], home, ownData(version));
  if (mapped.trim().split('\n').length !== 2) throw new Error(`fanfold map printed ${mapped}`);
  await withEngine(node, version);
  process.stdout.write(`${run(node, ['--version'], home).trim()}: import, require, map, engine with a handler\n`);
}

/** A Node of that version, from the registry. */
function nodeOf(version) {
  const folder = join(room, `node-${version}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{}');
  run('npm', ['install', '--no-audit', '--no-fund', `node@${version}`], folder);
  const program = join(folder, 'node_modules/node/bin/node');
  if (!existsSync(program)) throw new Error(`node@${version} has no ${program}`);
  return program;
}

function bin(name) {
  const { bin: programs } = JSON.parse(readFileSync(join(home, 'node_modules/fanfold/package.json'), 'utf8'));
  return join(home, 'node_modules/fanfold', programs[name]);
}

function ownData(version, more = {}) {
  return { ...process.env, FANFOLD_DATA_DIR: join(room, `data-${version ?? 'own'}`), ...more };
}

/** An engine with the handler of the folder, and a program that publishes, starts and follows. */
async function withEngine(node, version) {
  const port = await freePort();
  const more = {
    PORT: String(port),
    FANFOLD_API_KEY: 'a-key-of-sixteen-characters',
    FANFOLD_HANDLERS: './handlers.mjs',
  };
  const env = ownData(version, more);
  const engine = spawn(node, [bin('fanfold-engine')], { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [engine.stdout, engine.stderr]) stream.on('data', (part) => (said += part));
  const ended = new Promise((resolveEnd) => engine.once('exit', resolveEnd));
  try {
    run(node, ['program.mjs', `http://127.0.0.1:${port}`, env.FANFOLD_API_KEY], home);
  } catch (error) {
    throw new Error(`the program failed; the engine said:\n${said}`, { cause: error });
  } finally {
    engine.kill('SIGTERM');
    await ended;
  }
}

function freePort() {
  return new Promise((resolvePort) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolvePort(port));
    });
  });
}

function files() {
  const check = `
if (typeof sdk.FanfoldClient !== 'function' || typeof testing.runInMemory !== 'function') throw new Error('something is missing');
const defined = sdk.definePipeline({ name: 'a' }, ({ add }) => void add('w', sdk.wait({ duration: '1s' })));
if (JSON.stringify(defined) !== '{"name":"a","nodes":[{"id":"w","type":"WAIT","config":{"duration":"1s"}}]}') throw new Error(JSON.stringify(defined));
if (sdk.parseExact('9007199254740993') !== 9007199254740993n) throw new Error('digits are lost');
`;
  const typed = `
const pipeline = sdk.definePipeline({ name: 'a', input: sdk.type<{ n: number }>() }, ({ input, add }) => add('t', sdk.transform({ twice: input.n })));
type Output = NonNullable<(typeof pipeline)['output']> extends sdk.Type<infer T> ? T : never;
export const out: Output = { twice: 2 };
export async function main(client: sdk.FanfoldClient): Promise<string> {
  await client.pipelines.start(pipeline, { input: { n: 1 } });
  // @ts-expect-error -- n is a number
  await client.pipelines.start(pipeline, { input: { n: 'x' } });
  await client.call('put', '/v1/destinations/{name}', { params: { path: { name: 'x' } }, body: { maxConcurrency: 5 } });
  const found = await client.executions.get('x');
  return found.state;
}
`;
  return {
    'package.json': '{"private": true}',
    'list.csv': 'a,b\n1,2\n3,4\n',
    'imported.mjs': `import * as sdk from '@fanfold/sdk';\nimport * as testing from '@fanfold/sdk/testing';\n${check}`,
    'required.cjs': `const sdk = require('@fanfold/sdk');\nconst testing = require('@fanfold/sdk/testing');\n${check}`,
    'typed.mts': `import * as sdk from '@fanfold/sdk';\n${typed}`,
    'typed.cts': `import * as sdk from '@fanfold/sdk';\n${typed}`,
    'handlers.mjs': `import { defineHandler, PermanentError } from '@fanfold/sdk';
export const twice = defineHandler(({ input, log, progress }) => {
  if (input.n === 3) throw new PermanentError('three is refused', { code: 'N.THREE' });
  log('doubling');
  progress(1, 1);
  return { twice: input.n * 2 };
});
`,
    'program.mjs': `import assert from 'node:assert/strict';
import { definePipeline, FanfoldClient, handlersOf, merge, spawner, type } from '@fanfold/sdk';
const [url, apiKey] = process.argv.slice(2);
const client = new FanfoldClient({ url, apiKey, retry: { attempts: 60, longestDelayMs: 1000 } });
const pipeline = definePipeline({ name: 'doubles', input: type() }, ({ input, add }) => {
  const rows = add('rows', spawner({ items: input.rows, node: ({ item }) => handlersOf()('twice', item) }));
  add('join', merge({ of: rows, tolerateChildFailures: ['FAILED'] }));
});
await client.pipelines.publish(pipeline);
const { id } = await client.pipelines.start(pipeline, { input: { rows: [{ n: 1 }, { n: 2 }, { n: 3 }] } });
const frames = [];
for await (const frame of client.executions.stream(id)) frames.push(frame.event);
assert.equal(frames.at(-1), 'end');
const lines = [];
for await (const line of client.executions.results(id)) lines.push(line.output ?? line.error.code);
assert.deepEqual(lines, [{ twice: 2 }, { twice: 4 }, 'N.THREE']);
`,
  };
}
