import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { DataFolderInUse, lockDataFolder } from './data-folder-lock.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.js';
import { isAlive, lifeOf } from './process-life.js';

const newPassword = () => randomBytes(12).toString('hex');

/** An engine in a process of its own, which may be killed. */
const engine = async (dataDir: string) => {
  const support = pathToFileURL(resolve('test/support/compiled.mjs')).href;
  const code = `
    const { load } = await import(${JSON.stringify(support)});
    const { startEmbeddedPostgres } = await load('apps/standalone/src/embedded', 'index.js');
    const server = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, newPassword: () => '${newPassword()}' });
    console.log(JSON.stringify({ url: server.url, pid: server.pid }));
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise<string>((found) =>
    child.stdout.once('data', (chunk: Buffer) => found(chunk.toString())),
  );
  return { child, ...(JSON.parse(line) as { url: string; pid: number }) };
};

const ask = async (url: string, statement: string) => {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(statement)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
};

describe('the embedded Postgres', () => {
  let dataDir: string;
  let server: EmbeddedPostgres | undefined;
  const start = async (folder = dataDir) => (server = await startEmbeddedPostgres({ dataDir: folder, newPassword }));

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'fanfold-embedded-'));
  });
  afterEach(async () => {
    await server?.stop();
    server = undefined;
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('starts on a new folder, keeps its data, its port and its password, and demands the password', async () => {
    const first = await start();
    await ask(first.url, 'create table kept as select 1 as one');
    expect(await ask(first.url, 'show fsync')).toEqual([{ fsync: 'on' }]);
    expect(statSync(join(dataDir, 'database.url')).mode & 0o777).toBe(0o600);
    const wrong = first.url.replace(/:[0-9a-f]+@/, ':wrong@');
    await expect(ask(wrong, 'select 1')).rejects.toThrow('password authentication failed');
    await first.stop();
    await first.stop();
    const second = await start();
    expect(second.url).toBe(first.url);
    expect(second.takenOverFrom).toBeUndefined();
    expect(await ask(second.url, 'select one from kept')).toEqual([{ one: 1 }]);
  });

  it('refuses a second engine while the first lives, and leaves the first alone', async () => {
    const first = await start();
    await expect(startEmbeddedPostgres({ dataDir, newPassword })).rejects.toThrow(DataFolderInUse);
    expect(await ask(first.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('takes over from an engine that was killed, stops the server it left, and has what it committed', async () => {
    const killed = await engine(dataDir);
    await ask(killed.url, 'create table kept as select 1 as one');
    const left = lifeOf(killed.pid);
    killed.child.kill('SIGKILL');
    await new Promise((resolve) => killed.child.once('exit', resolve));
    expect(isAlive(left)).toBe(true);
    const next = await start();
    expect(isAlive(left)).toBe(false);
    expect(next.takenOverFrom?.pid).toBe(killed.child.pid);
    expect(await ask(next.url, 'select one from kept')).toEqual([{ one: 1 }]);
  });

  it('takes over when engine and server were killed together', async () => {
    const killed = await engine(dataDir);
    await ask(killed.url, 'create table kept as select 1 as one');
    killed.child.kill('SIGKILL');
    process.kill(killed.pid, 'SIGKILL');
    await new Promise((resolve) => killed.child.once('exit', resolve));
    const next = await start();
    expect(await ask(next.url, 'select one from kept')).toEqual([{ one: 1 }]);
  });

  it('begins anew where an earlier start was cut off half-way', async () => {
    mkdirSync(join(dataDir, 'postgres.new'));
    writeFileSync(join(dataDir, 'postgres.new', 'PG_VERSION'), '18');
    expect(await ask((await start()).url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(existsSync(join(dataDir, 'postgres.new'))).toBe(false);
  });

  it('finds another port when its own was taken meanwhile', async () => {
    await (await start()).stop();
    const port = readFileSync(join(dataDir, 'postgres.port'), 'utf8').trim();
    const { createServer } = await import('node:net');
    const squatter = createServer();
    await new Promise<void>((resolve) => squatter.listen(Number(port), '127.0.0.1', resolve));
    try {
      const next = await start();
      expect(new URL(next.url).port).not.toBe(port);
      expect(await ask(next.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    } finally {
      await new Promise((resolve) => squatter.close(resolve));
    }
  });

  const asRoot = process.getuid?.() === 0 ? it : it.skip;
  asRoot(
    'runs as another user for root, and says where its files are when that user cannot reach the folder',
    async () => {
      const home = join(dataDir, 'home');
      mkdirSync(join(home, 'data'), { recursive: true });
      chmodSync(home, 0o700);
      const told: string[] = [];
      const onFallback = (folder: string) => told.push(folder);
      server = await startEmbeddedPostgres({ dataDir: join(home, 'data'), newPassword, onFallback });
      expect(told).toHaveLength(1);
      expect(existsSync(join(told[0]!, 'postgres', 'PG_VERSION'))).toBe(true);
      expect(statSync(join(told[0]!, 'postgres')).uid).not.toBe(0);
      await ask(server.url, 'create table kept as select 1 as one');
      await server.stop();
      server = await startEmbeddedPostgres({ dataDir: join(home, 'data'), newPassword, onFallback });
      expect(told[1]).toBe(told[0]);
      expect(await ask(server.url, 'select one from kept')).toEqual([{ one: 1 }]);
      await server.stop();
      rmSync(told[0]!, { recursive: true, force: true });
    },
  );
});

describe('the lock of a data folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fanfold-lock-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('takes over from the dead, from a number used again, and from what cannot be read', () => {
    const dead = spawnSync(process.execPath, ['-e', '0']).pid;
    for (const left of [
      JSON.stringify({ pid: dead, start: null }),
      JSON.stringify({ pid: process.pid, start: 'an earlier boot/1' }),
      'half a li',
    ]) {
      writeFileSync(join(folder, 'engine.lock'), left);
      const lock = lockDataFolder(folder);
      expect(() => lockDataFolder(folder)).toThrow(DataFolderInUse);
      lock.release();
      expect(existsSync(join(folder, 'engine.lock'))).toBe(false);
    }
  });

  it('is won by one of many that start over a dead one at the same moment', async () => {
    writeFileSync(join(folder, 'engine.lock'), JSON.stringify({ pid: 2 ** 22 - 1, start: 'gone' }));
    const support = pathToFileURL(resolve('test/support/compiled.mjs')).href;
    const code = `
      const { load } = await import(${JSON.stringify(support)});
      const { lockDataFolder } = await load('apps/standalone/src/embedded', 'index.js');
      try { lockDataFolder(${JSON.stringify(folder)}); console.log('won'); } catch (error) { console.log(error.code); }
      setTimeout(() => {}, 3000);`;
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        const said = await new Promise<string>((found) =>
          child.stdout.once('data', (chunk: Buffer) => found(String(chunk).trim())),
        );
        return { child, said };
      }),
    );
    for (const { child } of outcomes) child.kill('SIGKILL');
    expect(outcomes.map(({ said }) => said).sort()).toEqual([...Array<string>(5).fill('DATA_FOLDER.IN_USE'), 'won']);
  });
});
