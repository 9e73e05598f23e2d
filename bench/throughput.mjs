// How many no-op children a second settle, and what each takes on disk, side by side with the limit program.
import { Readable } from 'node:stream';
import { Engine, expectSucceeded, fanOut } from './support/engine.mjs';
import { runLimit } from './support/limit-program.mjs';
import { asProgram } from './support/scenario.mjs';
import { median, rounded, secondsSince } from './support/statistics.mjs';

async function* run({ servers, build, limit }, { mode, children: sizes, executors, rounds }) {
  for (const children of sizes) {
    const ours = [];
    const limits = [];
    for (let round = 0; round < rounds; round++) {
      ours.push(await measure({ servers, build, mode, executors }, children));
      if (limit) limits.push(await runLimit(limit, servers, { children, executors }));
    }
    const of = (list, name) => (list.length > 0 ? rounded(median(list.map((one) => one[name]))) : null);
    const settledPerSecond = of(ours, 'settledPerSecond');
    const limitPerSecond = of(limits, 'settledPerSecond');
    yield {
      children,
      settledPerSecond,
      limitPerSecond,
      ratioToLimit: limitPerSecond && rounded(settledPerSecond / limitPerSecond, 3),
      bytesPerChild: of(ours, 'bytesPerChild'),
      limitBytesPerChild: of(limits, 'bytesPerChild'),
      executors,
      rounds,
      settledPerSecondByRound: ours.map((one) => rounded(one.settledPerSecond)),
      limitPerSecondByRound: limits.map((one) => one.settledPerSecond),
      cpuMicrosecondsPerChild: ours.at(-1).cpuMicrosecondsPerChild,
      fsck: ours.find(({ fsck }) => fsck !== 'clean')?.fsck ?? 'clean',
    };
  }
}

// Every round has an engine and a schema of its own: nothing of ours runs beside the limit program, and no round inherits
// another's dead rows.
export const measure = async (setting, children) => {
  const engine = await Engine.start(setting);
  try {
    const { api } = engine;
    const dataset = await api.upload('items', 'ndjson', Readable.from(ndjson(children)));
    await api.publish(
      fanOut('throughput', { type: 'HANDLER', config: { handler: 'echo', input: '${item}' } }, { dataset: dataset.id }),
    );
    const bytesBefore = await engine.storedBytes();
    const cpuBefore = engine.cpuSeconds();
    const [{ lsn }] = await setting.servers.query('select pg_current_wal_lsn()::text as lsn');
    const startedAt = performance.now();
    const { id } = await api.start('throughput', {});
    const settled = expectSucceeded(await api.settled(id));
    const seconds = secondsSince(startedAt);
    const cpu = Object.entries(engine.cpuSeconds());
    if (settled.fanOuts[0].succeeded !== children)
      throw new Error(`not ${children} children: ${JSON.stringify(settled)}`);
    const [{ bytes }] = await setting.servers.query(
      'select pg_wal_lsn_diff(pg_current_wal_lsn(), $1::pg_lsn)::float8 as bytes',
      [lsn],
    );
    return {
      settledPerSecond: children / seconds,
      bytesPerChild: ((await engine.storedBytes()) - bytesBefore) / children,
      // Of the whole server: nothing else writes to it.
      walBytesPerChild: bytes / children,
      cpuMicrosecondsPerChild: Object.fromEntries(
        cpu.map(([role, used]) => [role, rounded(((used - (cpuBefore[role] ?? 0)) * 1e6) / children)]),
      ),
      fsck: engine.fsck(),
    };
  } finally {
    await engine.stop();
  }
};

function* ndjson(count) {
  for (let from = 0; from < count; from += 1_000) {
    let text = '';
    for (let n = from; n < Math.min(count, from + 1_000); n++) text += `{"n":${n},"email":"user${n}@example.com"}\n`;
    yield Buffer.from(text);
  }
}

export const throughput = await asProgram(
  {
    name: 'throughput',
    compared: true,
    options: { children: [10_000], mode: ['rabbitmq'], executors: 1, rounds: Number(process.env.BENCH_ROUNDS || 3) },
    run,
  },
  import.meta,
);
