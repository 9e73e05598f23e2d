// Packs what is published, into a folder (dist/packages unless another is named): `fanfold`, the command and the engine as
// they are built, and `@fanfold/sdk`, compiled for `import` and for `require` with types for both.
//
// `node scripts/build.mjs && node scripts/pack.mjs [folder]`; prints the two files.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const target = resolve(process.argv[2] ?? join(root, 'dist/packages'));
const room = mkdtempSync(join(realpathSync(tmpdir()), 'fanfold-pack-'));
process.on('exit', () => rmSync(room, { recursive: true, force: true }));

const whole = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { version, license, engines } = whole;
const needed = (...names) => Object.fromEntries(names.map((name) => [name, whole.dependencies[name]]));
const writeJson = (path, value) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);

/** Ends with what a program said, where it fails. */
function run(program, args, cwd) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status === 0) return stdout;
  process.stderr.write(`${program} ${args.join(' ')}\n${stdout}${stderr}`);
  process.exit(1);
}

function pack(folder) {
  mkdirSync(target, { recursive: true });
  for (const name of ['LICENSE']) cpSync(join(root, name), join(folder, name));
  const [{ filename }] = JSON.parse(
    run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', target], folder),
  );
  process.stdout.write(`${join(target, filename.replace('@', '').replace('/', '-'))}\n`);
}

/** The engine and the command, as they are built. */
function packEngine() {
  if (!existsSync(join(root, 'dist/.built'))) {
    process.stderr.write('there is no build to pack: node scripts/build.mjs\n');
    process.exit(1);
  }
  const folder = join(room, 'fanfold');
  mkdirSync(folder);
  cpSync(join(root, 'dist'), join(folder, 'dist'), {
    recursive: true,
    filter: (path) => !path.endsWith('.map') && path !== join(root, 'dist/packages'),
  });
  cpSync(join(root, 'README.md'), join(folder, 'README.md'));
  const { private: _private, scripts: _scripts, devDependencies: _dev, overrides: _overrides, ...published } = whole;
  writeJson(join(folder, 'package.json'), { ...published, files: ['dist'] });
  pack(folder);
}

const formats = { esm: 'module', cjs: 'commonjs' };

/** The SDK, with the parts of the domain and the contracts that it imports. */
function packSdk() {
  const folder = join(room, 'sdk');
  mkdirSync(folder);
  for (const [format, type] of Object.entries(formats)) compile(format, type, join(folder, format));
  cpSync(join(root, 'libs/sdk/README.md'), join(folder, 'README.md'));
  const entry = (file) => ({
    import: { types: `./esm/libs/sdk/src/${file}.d.ts`, default: `./esm/libs/sdk/src/${file}.js` },
    require: { types: `./cjs/libs/sdk/src/${file}.d.ts`, default: `./cjs/libs/sdk/src/${file}.js` },
  });
  writeJson(join(folder, 'package.json'), {
    name: '@fanfold/sdk',
    version,
    description: 'Pipelines, handlers and a typed client for Fanfold, the durable fan-out engine.',
    license,
    type: 'module',
    sideEffects: false,
    engines,
    exports: { '.': entry('index'), './testing': entry('testing/index'), './package.json': './package.json' },
    files: Object.keys(formats),
    dependencies: needed(
      '@marcbachmann/cel-js',
      '@standard-schema/spec',
      'eventsource-parser',
      'openapi-fetch',
      'openapi-typescript-helpers',
    ),
  });
  pack(folder);
}

/** One format in a folder of its own, whose package.json says which it is. */
function compile(format, type, out) {
  const source = join(room, `${format}-source`);
  for (const lib of ['sdk', 'domain', 'contracts']) {
    const from = join(root, 'libs', lib, 'src');
    cpSync(from, join(source, 'libs', lib, 'src'), { recursive: true, filter: (path) => !path.endsWith('spec.ts') });
  }
  for (const path of readdirSync(join(source, 'libs'), { recursive: true, encoding: 'utf8' }))
    if (path.endsWith('.ts')) withoutAliases(source, join(source, 'libs', path));
  writeJson(join(source, 'package.json'), { type });
  symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'), 'junction');
  const { paths: _paths, ...options } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')).compilerOptions;
  const entries = ['index', 'testing/index'].map((file) => join(source, 'libs/sdk/src', `${file}.ts`));
  writeJson(join(source, 'tsconfig.json'), {
    compilerOptions: {
      ...options,
      rootDir: source,
      outDir: out,
      sourceMap: false,
      declaration: true,
      target: 'ES2022',
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
    },
    files: entries.filter((file) => existsSync(file)),
  });
  run(process.execPath, [join(root, 'node_modules/typescript7/bin/tsc'), '-p', join(source, 'tsconfig.json')], source);
  writeJson(join(out, 'package.json'), { type });
}

/** `@app/domain/…` as the path it stands for. */
function withoutAliases(source, path) {
  const text = readFileSync(path, 'utf8').replaceAll(
    /'@app\/([^/']+)(?:\/([^']+))?'/g,
    (_all, lib, file = 'index.js') => {
      const way = relative(dirname(path), join(source, 'libs', lib, 'src', file)).replaceAll('\\', '/');
      return `'${way.startsWith('.') ? way : `./${way}`}'`;
    },
  );
  writeFileSync(path, text);
}

packEngine();
packSdk();
