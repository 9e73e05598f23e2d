// What two limits and a tolerance cost where none of them holds anything back: the same no-op children with and without them,
// in turns on one engine.
import { Readable } from 'node:stream';
import { Engine, expectSucceeded, fanOut } from './support/engine.mjs';
import { asProgram } from './support/scenario.mjs';
import { median, rounded, secondsSince } from './support/statistics.mjs';

const NODE = { type: 'HANDLER', config: { handler: 'echo', input: '${item}' } };
const TOLERANCE = { tolerateChildFailures: ['FAILED'], failureTolerance: { maxFailureRatio: 0.05 } };

async function* run({ servers, build }, { mode, children: sizes, executors, rounds, cost }) {
  for (const children of sizes) {
    const engine = await Engine.start({ servers, build, mode, executors });
    try {
      const { api } = engine;
      const rows = Array.from({ length: children }, (_, n) => `{"n":${n},"tokens":${100 + (n % 900)}}\n`);
      const dataset = await api.upload('items', 'ndjson', Readable.from([rows.join('')]));
      await api.limit('calls', { maxConcurrency: 10_000 });
      await api.limit('units', { rate: { limit: 100_000_000_000, per: '1s' } });
      const units = cost ? { name: 'units', cost: '${item.tokens}' } : 'units';
      const items = { dataset: dataset.id };
      await api.publish(fanOut('free', NODE, items));
      await api.publish(fanOut('limited', { ...NODE, destinations: ['calls', units] }, items, TOLERANCE));
      const perSecond = async (name) => {
        const startedAt = performance.now();
        const { id } = await api.start(name, {});
        expectSucceeded(await api.settled(id));
        return children / secondsSince(startedAt);
      };
      const free = [];
      const limited = [];
      for (let round = 0; round < rounds; round++) {
        // Whoever goes second finds larger tables, so they go first in turns.
        if (round % 2 === 0) free.push(await perSecond('free'));
        limited.push(await perSecond('limited'));
        if (round % 2 === 1) free.push(await perSecond('free'));
      }
      yield {
        children,
        settledPerSecond: rounded(median(limited)),
        freePerSecond: rounded(median(free)),
        ratio: rounded(median(limited) / median(free), 3),
        cost: Boolean(cost),
        executors,
        rounds,
        limitedByRound: limited.map((one) => rounded(one)),
        freeByRound: free.map((one) => rounded(one)),
        fsck: engine.fsck(),
      };
    } finally {
      await engine.stop();
    }
  }
}

export const limits = await asProgram(
  {
    name: 'limits',
    options: {
      children: [10_000],
      mode: ['rabbitmq'],
      executors: 1,
      rounds: Number(process.env.BENCH_ROUNDS || 3),
      cost: 0,
    },
    run,
  },
  import.meta,
);
