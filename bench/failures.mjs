// Every twentieth child fails for good; then what it calls is cured, and what failed is redriven.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Engine, fanOut } from './support/engine.mjs';
import { numbered } from './support/load.mjs';
import { asProgram } from './support/scenario.mjs';
import { median, rounded, secondsSince } from './support/statistics.mjs';

async function* run({ servers, build }, { mode, children: sizes, executors, rounds }) {
  for (const children of sizes) {
    const room = mkdtempSync(join(tmpdir(), 'fanfold-bench-failures-'));
    const file = join(room, 'broken');
    const engine = await Engine.start({ servers, build, mode, executors });
    try {
      const { api } = engine;
      const dataset = await api.upload('items', 'ndjson', Readable.from(numbered(children)));
      const node = { type: 'HANDLER', config: { handler: 'refuseSome', input: { n: '${item.n}', file } } };
      await api.publish(fanOut('failures', node, { dataset: dataset.id }));
      const expected = Math.ceil(children / 20);
      const figures = { settled: [], redriven: [], answerMs: [] };
      for (let round = 0; round < rounds; round++) {
        writeFileSync(file, '');
        const startedAt = performance.now();
        const { id } = await api.start('failures', {});
        const failed = await api.settled(id);
        figures.settled.push(children / secondsSince(startedAt));
        if (failed.state !== 'FAILED' || failed.fanOuts[0].failed !== expected)
          throw new Error(`not ${expected} failed: ${failed.state} ${JSON.stringify(failed.fanOuts)}`);
        rmSync(file);
        const redrivenAt = performance.now();
        const { redriven } = await api.post(`/v1/executions/${id}/redrive`, { state: ['FAILED'] });
        figures.answerMs.push(performance.now() - redrivenAt);
        const cured = await api.settled(id);
        figures.redriven.push(redriven / secondsSince(redrivenAt));
        if (redriven !== expected || cured.state !== 'SUCCEEDED' || cured.fanOuts[0].succeeded !== children)
          throw new Error(`redriven ${redriven}, ${cured.state}: ${JSON.stringify(cured.fanOuts)}`);
      }
      yield {
        children,
        settledPerSecond: rounded(median(figures.settled)),
        redrivenPerSecond: rounded(median(figures.redriven)),
        failed: expected,
        redriveAnswerMs: rounded(median(figures.answerMs), 1),
        executors,
        rounds,
        settledPerSecondByRound: figures.settled.map((one) => rounded(one)),
        redrivenPerSecondByRound: figures.redriven.map((one) => rounded(one)),
        fsck: engine.fsck(),
      };
    } finally {
      await engine.stop();
      rmSync(room, { recursive: true, force: true });
    }
  }
}

export const failures = await asProgram(
  {
    name: 'failures',
    options: { children: [10_000], mode: ['rabbitmq'], executors: 1, rounds: Number(process.env.BENCH_ROUNDS || 3) },
    run,
  },
  import.meta,
);
