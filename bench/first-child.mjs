// How long it takes from the POST of an execution over a large dataset until its first child runs: whether anything of the size
// of the list is done before.
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Engine, fanOut } from './support/engine.mjs';
import { numbered } from './support/load.mjs';
import { asProgram } from './support/scenario.mjs';
import { median, rounded, secondsSince } from './support/statistics.mjs';

async function* run({ servers, build }, { mode, rows: sizes, rounds }) {
  const engine = await Engine.start({ servers, build, mode });
  try {
    const { api } = engine;
    for (const rows of sizes) {
      const uploadedAt = performance.now();
      const dataset = await api.upload('rows', 'ndjson', Readable.from(numbered(rows)));
      const uploadSeconds = secondsSince(uploadedAt);
      const name = `over-${rows}`;
      await api.publish(fanOut(name, { type: 'HANDLER', config: { handler: 'nothing' } }, { dataset: dataset.id }));
      const firstStartMs = [];
      for (let round = 0; round < rounds; round++) {
        const [{ at }] = await servers.query('select clock_timestamp()::text as at');
        const { id } = await api.start(name, {});
        while (((await api.execution(id)).fanOuts[0]?.succeeded ?? 0) === 0) await sleep(20);
        const [{ ms }] = await servers.query(
          `select extract(epoch from min(started_at) - $1::timestamptz)::float8 * 1000 as ms
             from "${engine.namespace}".task where started_at > $1::timestamptz`,
          [at],
        );
        firstStartMs.push(ms);
        await api.post(`/v1/executions/${id}/cancel`).catch((error) => {
          // A short list may be through by now.
          if (error.status !== 409) throw error;
        });
        while ((await api.execution(id)).openDescendants > 0) await sleep(100);
      }
      yield {
        children: rows,
        firstStartMs: rounded(median(firstStartMs), 1),
        firstStartMsByRound: firstStartMs.map((ms) => rounded(ms, 1)),
        uploadSeconds: rounded(uploadSeconds, 1),
        rounds,
        fsck: engine.fsck(),
      };
    }
  } finally {
    await engine.stop();
  }
}

export const firstChild = await asProgram(
  { name: 'first-child', options: { rows: [1_000_000], mode: ['rabbitmq'], rounds: 5 }, run },
  import.meta,
);
