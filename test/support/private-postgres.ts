import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../apps/standalone/src/embedded/index.js';

/** A Postgres that one suite may restart, freeze and make read-only. Its address stays the same. */
export class PrivatePostgres {
  private frozen: readonly number[] = [];

  private constructor(
    private readonly dataDir: string,
    private server: EmbeddedPostgres,
  ) {}

  static async start(): Promise<PrivatePostgres> {
    const dataDir = mkdtempSync(join(tmpdir(), 'fanfold-own-postgres-'));
    return new PrivatePostgres(dataDir, await startServer(dataDir));
  }

  get url(): string {
    return this.server.url;
  }

  /** Stops it in order and starts it again on what it had stored. */
  async restart(): Promise<void> {
    const { url } = this.server;
    await this.server.stop();
    this.server = await startServer(this.dataDir);
    if (this.server.url !== url) throw new Error('the server came back under another address');
  }

  /** It and all its sessions stand still; connections stay open, and new ones are taken by the system and not answered. */
  freeze(): void {
    process.kill(this.server.pid, 'SIGSTOP');
    this.frozen = [this.server.pid, ...childrenOf(this.server.pid)];
    for (const pid of this.frozen) signal(pid, 'SIGSTOP');
  }

  thaw(): void {
    for (const pid of [...this.frozen].reverse()) signal(pid, 'SIGCONT');
    this.frozen = [];
  }

  /** Every write is refused, as by a server that has just lost its place as the first. */
  async readOnly(on: boolean): Promise<void> {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    try {
      await client.query(`set default_transaction_read_only = off`);
      await client.query(`alter system set default_transaction_read_only = ${on ? 'on' : 'off'}`);
      await client.query('select pg_reload_conf()');
    } finally {
      await client.end();
    }
  }

  async remove(): Promise<void> {
    this.thaw();
    await this.server.stop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

const startServer = (dataDir: string): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres({ dataDir, durable: false, newPassword: () => randomBytes(16).toString('hex') });

const childrenOf = (parent: number): number[] =>
  String(spawnSync('ps', ['-A', '-o', 'pid=,ppid=']).stdout)
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, ppid]) => ppid === parent)
    .map(([pid]) => pid!);

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name);
  } catch {
    // That session has ended.
  }
};
