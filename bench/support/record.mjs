// What was measured, kept: one NDJSON file a run. Its first line says on what, the others are the lines that were printed.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, loadavg, platform, release, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import amqp from 'amqplib';
import { root } from './root.mjs';

/** Fails where the machine has something else to do: such figures are not kept. */
export const expectQuiet = () => {
  const [load] = loadavg();
  if (load > availableParallelism())
    throw new Error(`nothing is recorded while the machine is busy: its load is ${load.toFixed(1)}`);
};

/** @returns a function that keeps one more line of the run; the file is whole after each of them */
export const startRecord = async (folder, names, servers) => {
  const run = await facts(names, servers);
  mkdirSync(resolve(folder), { recursive: true });
  const file = join(resolve(folder), `${run.date.replaceAll(':', '').slice(0, 17)}-${names.join('-')}.ndjson`);
  const lines = [JSON.stringify({ run })];
  return (line) => {
    lines.push(line);
    writeFileSync(file, `${lines.join('\n')}\n`);
  };
};

const facts = async (names, servers) => {
  const show = async (setting) => Object.values((await servers.query(`show ${setting}`))[0])[0];
  const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout?.trim() || null;
  return {
    date: new Date().toISOString().replace(/\.\d+/, ''),
    scenarios: names,
    commit: git('rev-parse', 'HEAD'),
    // Of what is measured; results that are being written are no change.
    changed: Boolean(
      git('status', '--porcelain', '--', 'apps', 'libs', 'bench', ':!bench/results', 'package-lock.json'),
    ),
    cpu: cpus()[0]?.model.trim() ?? null,
    cores: availableParallelism(),
    memoryMb: Math.round(totalmem() / 1_048_576),
    os: `${platform()} ${release()} ${arch()}`,
    load: loadavg().map((value) => Number(value.toFixed(2))),
    node: process.version.slice(1),
    postgres: (await show('server_version')).split(' ')[0],
    postgresSettings: Object.fromEntries(
      await Promise.all(
        ['fsync', 'synchronous_commit', 'shared_buffers', 'max_wal_size'].map(async (name) => [name, await show(name)]),
      ),
    ),
    rabbitmq: servers.rabbitmqUrl ? await brokerVersion(servers.rabbitmqUrl) : null,
  };
};

const brokerVersion = async (url) => {
  const connection = await amqp.connect(url);
  const { version } = connection.connection.serverProperties;
  await connection.close();
  return version;
};
