import { spawn, spawnSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demandPlace, writeWhole } from './output-file.js';

async function* parts() {
  yield 'one\n';
  yield 'two\n';
}

describe('a file that a map writes', () => {
  let folder: string;
  const at = (name: string) => join(folder, name);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fanfold-output-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('takes the place of the one before, and leaves nothing else', async () => {
    writeFileSync(at('out'), 'before');
    await writeWhole(at('out'), parts());
    expect(readFileSync(at('out'), 'utf8')).toBe('one\ntwo\n');
    expect(readdirSync(folder)).toEqual(['out']);
  });

  it('is the one a link leads to, and the link stays', async () => {
    writeFileSync(at('target'), 'before');
    symlinkSync(at('target'), at('link'));
    await writeWhole(at('link'), parts());
    expect(lstatSync(at('link')).isSymbolicLink()).toBe(true);
    expect(readFileSync(at('target'), 'utf8')).toBe('one\ntwo\n');
  });

  it('does not replace a pipe: who reads from it reads it', async () => {
    expect(spawnSync('mkfifo', [at('pipe')]).status).toBe(0);
    const reader = spawn('cat', [at('pipe')], { stdio: ['ignore', 'pipe', 'inherit'] });
    let read = '';
    reader.stdout.on('data', (data: Buffer) => (read += data.toString()));
    const ended = new Promise((resolve) => reader.once('close', resolve));
    await writeWhole(at('pipe'), parts());
    await ended;
    expect(read).toBe('one\ntwo\n');
    expect(lstatSync(at('pipe')).isFIFO()).toBe(true);
  });

  it.each([
    ['a folder', '.', /is a folder/],
    ['a folder that is not there', 'nowhere/out', /nothing can be written/],
  ])('is refused before anything is run where its place is %s', (_, name, message) => {
    expect(() => demandPlace('--output', at(name))).toThrow(message);
  });

  it('may be new', () => {
    expect(() => demandPlace('--output', at('new'))).not.toThrow();
  });
});
