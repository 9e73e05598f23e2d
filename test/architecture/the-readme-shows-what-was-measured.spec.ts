import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');

const make = (...args: string[]) =>
  spawnSync(process.execPath, [join(root, 'bench/table.mjs'), ...args], { cwd: root, encoding: 'utf8' });

describe('the table of measurements', () => {
  let room: string;
  beforeEach(() => (room = mkdtempSync(join(tmpdir(), 'fanfold-table-'))));
  afterEach(() => rmSync(room, { recursive: true, force: true }));

  it('is in the README what is made of the results that are kept', () => {
    const { status, stderr } = make('--check');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('shows of two lines about the same the newer one, and a figure only at the size it was measured at', () => {
    const readme = join(room, 'README.md');
    const marks = ['<!-- measurements: begin; made by bench/table.mjs -->', '<!-- measurements: end -->'];
    writeFileSync(readme, `# Before\n${marks[0]}\na stale row\n${marks[1]}\nafter\n`);
    const run = (date: string) => ({
      run: {
        date,
        commit: 'abc',
        cores: 2,
        cpu: 'x',
        memoryMb: 4_096,
        node: '20',
        postgres: '18',
        postgresSettings: {},
      },
    });
    const peer = { scenario: 'peers', mode: 'rabbitmq', children: 10_000, executors: 1, peer: 'other', store: 'own' };
    const keep = (name: string, ...lines: object[]) =>
      writeFileSync(join(room, name), lines.map((line) => JSON.stringify(line)).join('\n'));
    keep('b.ndjson', run('2026-01-01T00:00:00Z'), { ...peer, timesPeer: 1.5, peerPerSecond: 1_000 });
    keep(
      'a.ndjson',
      run('2026-01-02T00:00:00Z'),
      { ...peer, timesPeer: 2.5, peerPerSecond: 1_000 },
      { ...peer, children: 100_000, timesPeer: null, peerPerSecond: 77, peerChildren: 9_240, stopped: true },
    );
    const results = ['--results', room, '--readme', readme];
    expect(make('--check', ...results).status).toBe(1);
    expect(make(...results).status).toBe(0);
    expect(make('--check', ...results).status).toBe(0);
    const text = readFileSync(readme, 'utf8');
    expect(text).toMatch(/^# Before\n/);
    expect(text).toMatch(/\nafter\n$/);
    expect(text).not.toContain('stale');
    expect(text).toContain('| rabbitmq | other | 2.5x | own | 10,000 | 1,000 | – |');
    expect(text).toContain('| rabbitmq | other | – | own | 100,000 | – | stopped at 9,240 |');
    expect(text).not.toContain('1.5x');
  });
});
