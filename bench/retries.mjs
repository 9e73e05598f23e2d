// A retry storm: every fifth child fails once, as if what it calls were away for a moment, and succeeds when it is tried again;
// in turns with the same children that all succeed at once, on the same engine.
import { Readable } from 'node:stream';
import { Engine, expectSucceeded, fanOut } from './support/engine.mjs';
import { numbered } from './support/load.mjs';
import { inTurns } from './support/in-turns.mjs';
import { asProgram } from './support/scenario.mjs';
import { median, rounded, secondsSince } from './support/statistics.mjs';

const EVERY_NTH = 5;
const RETRY = { maxAttempts: 3, initialDelay: '100ms', backoff: 1, maxDelay: '100ms', jitter: 0.1 };

async function* run({ servers, build }, { mode, children: sizes, executors, rounds }) {
  for (const children of sizes) {
    const engine = await Engine.start({ servers, build, mode, executors });
    try {
      const { api } = engine;
      const dataset = await api.upload('items', 'ndjson', Readable.from(numbered(children)));
      const publish = (name, everyNth) => {
        const config = { handler: 'stumble', input: { n: '${item.n}', everyNth } };
        return api.publish(fanOut(name, { type: 'HANDLER', config, retry: RETRY }, { dataset: dataset.id }));
      };
      await publish('storm', EVERY_NTH);
      // No item but the first is a multiple of this.
      await publish('calm', children);
      const perSecond = async (name) => {
        const startedAt = performance.now();
        const { id } = await api.start(name, {});
        expectSucceeded(await api.settled(id));
        return children / secondsSince(startedAt);
      };
      const [calm, storm] = await inTurns(
        rounds,
        () => perSecond('calm'),
        () => perSecond('storm'),
      );
      const [{ retried }] = await servers.query(
        `select count(*)::int as retried from "${engine.namespace}".task where attempt > 1`,
      );
      const expected = rounds * (Math.ceil(children / EVERY_NTH) + 1);
      if (retried !== expected) throw new Error(`${retried} were tried again, not ${expected}`);
      yield {
        children,
        settledPerSecond: rounded(median(storm)),
        calmPerSecond: rounded(median(calm)),
        ratio: rounded(median(storm) / median(calm), 3),
        retriedPerRound: Math.ceil(children / EVERY_NTH),
        retryDelay: RETRY.initialDelay,
        executors,
        rounds,
        settledPerSecondByRound: storm.map((one) => rounded(one)),
        calmPerSecondByRound: calm.map((one) => rounded(one)),
        fsck: engine.fsck(),
      };
    } finally {
      await engine.stop();
    }
  }
}

export const retries = await asProgram(
  {
    name: 'retries',
    options: { children: [10_000], mode: ['rabbitmq'], executors: 1, rounds: Number(process.env.BENCH_ROUNDS || 3) },
    run,
  },
  import.meta,
);
