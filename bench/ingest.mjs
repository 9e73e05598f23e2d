// A large CSV goes in as a stream and every row becomes a child, while services are killed: what memory that takes, and
// whether anything is lost.
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Engine, expectSucceeded, fanOut } from './support/engine.mjs';
import { repeat } from './support/repeat.mjs';
import { asProgram } from './support/scenario.mjs';
import { rounded, secondsSince } from './support/statistics.mjs';

const ROW_BYTES = 300;

async function* run({ servers, build }, { mode, rows, executors, kills }) {
  const room = mkdtempSync(join(tmpdir(), 'fanfold-bench-ingest-'));
  const remove = () => rmSync(room, { recursive: true, force: true });
  process.once('exit', remove);
  let engine;
  let stopSampling;
  try {
    const file = join(room, 'rows.csv');
    await pipeline(Readable.from(csv(rows)), createWriteStream(file));
    engine = await Engine.start({ servers, build, mode, executors });
    const { api } = engine;
    const peakRssMb = {};
    stopSampling = repeat(1_000, () => {
      for (const one of engine.members())
        peakRssMb[one.role] = Math.max(peakRssMb[one.role] ?? 0, rounded(one.peakRssMb));
    });

    const uploadStartedAt = performance.now();
    const dataset = await api.upload('rows', 'csv', createReadStream(file));
    const uploadSeconds = secondsSince(uploadStartedAt);
    if (dataset.itemCount !== rows) throw new Error(`${dataset.itemCount} items of ${rows} rows`);

    await api.publish(fanOut('ingest', { type: 'HANDLER', config: { handler: 'nothing' } }, { dataset: dataset.id }));
    const bytesBefore = await engine.storedBytes();
    const startedAt = performance.now();
    const { id } = await api.start('ingest', {});
    const progress = watch(api, id);
    const killing = killInTurn(engine.services, progress, rows, kills);
    killing.catch(() => undefined);
    const settled = expectSucceeded(await api.settled(id));
    const settleSeconds = secondsSince(startedAt);
    await progress.stop();
    const killed = await killing;
    const { succeeded, spawned } = settled.fanOuts[0];
    if (succeeded !== rows || spawned !== rows) throw new Error(`not ${rows}: ${JSON.stringify(settled.fanOuts)}`);

    yield {
      children: rows,
      settledPerSecond: rounded(rows / settleSeconds),
      bytesPerChild: rounded(((await engine.storedBytes()) - bytesBefore) / rows),
      executors,
      uploadMb: rounded(statSync(file).size / 1e6, 1),
      uploadSeconds: rounded(uploadSeconds, 1),
      settleSeconds: rounded(settleSeconds, 1),
      peakRssMb,
      kills: killed,
      spawnedSamples: progress.samples,
      spawnedEverDecreased: progress.decreased,
      fsck: engine.fsck(),
    };
  } finally {
    await stopSampling?.();
    await engine?.stop();
    process.off('exit', remove);
    remove();
  }
}

/** Follows the counters of the fan-out, past an api that is away. */
const watch = (api, id) => {
  const progress = { samples: 0, spawned: 0, settled: 0, decreased: false, ended: false };
  const stop = repeat(250, async () => {
    const fanOut = await api.execution(id).then(
      ({ fanOuts }) => fanOuts[0],
      () => undefined,
    );
    if (!fanOut) return;
    progress.samples++;
    progress.decreased ||= fanOut.spawned < progress.spawned;
    progress.spawned = fanOut.spawned;
    progress.settled = fanOut.succeeded + fanOut.failed + fanOut.cancelled;
  });
  progress.stop = () => {
    progress.ended = true;
    return stop();
  };
  return progress;
};

/** Kills the services in turn, spread evenly over the way. @returns how many were killed before all was settled */
const killInTurn = async (services, progress, rows, times) => {
  const victims = Array.from({ length: times }, (_, index) => services[index % services.length]);
  for (const [index, service] of victims.entries()) {
    while (progress.settled < (rows * (index + 1)) / (victims.length + 1)) {
      if (progress.ended) return index;
      await sleep(20);
    }
    await service.kill();
    await service.up();
  }
  return victims.length;
};

function* csv(rows) {
  yield 'entry_id,email,account,amount,currency,booked_at,note\n';
  for (let from = 0; from < rows; from += 1_000) {
    let text = '';
    for (let n = from; n < Math.min(rows, from + 1_000); n++) {
      const fields = `E${n},user${n}@example.com,DE${String(n).padStart(20, '0')},${n % 9_973}.00,EUR,2025-01-01T00:00:00Z`;
      text += `${fields},"${'a note, in quotes; '.repeat(16).slice(0, ROW_BYTES - fields.length - 4)}"\n`;
    }
    yield text;
  }
}

export const ingest = await asProgram(
  { name: 'ingest', options: { rows: 1_000_000, mode: ['rabbitmq'], executors: 1, kills: 5 }, run },
  import.meta,
);
