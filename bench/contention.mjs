// Many connections that claim and record children of one fan-out at once, against few: whether they stand in each other's way.
import { Readable } from 'node:stream';
import { Engine, expectSucceeded, fanOut } from './support/engine.mjs';
import { numbered } from './support/load.mjs';
import { repeat } from './support/repeat.mjs';
import { asProgram } from './support/scenario.mjs';
import { median, rounded, secondsSince } from './support/statistics.mjs';

async function* run(setting, { mode, children: sizes, rounds, connections, executors, few }) {
  for (const children of sizes) {
    const many = [];
    const little = [];
    for (let round = 0; round < rounds; round++) {
      many.push(await measure(setting, { mode, children, executors, connections }));
      little.push(await measure(setting, { mode, children, executors: Math.min(executors, few), connections: few }));
    }
    const of = (list) => median(list.map((one) => one.settledPerSecond));
    yield {
      children,
      settledPerSecond: rounded(of(many)),
      fewPerSecond: rounded(of(little)),
      ratio: rounded(of(many) / of(little), 3),
      connections,
      connectionsSeen: Math.max(...many.map((one) => one.connectionsSeen)),
      executors,
      few,
      fewExecutors: Math.min(executors, few),
      fewSeen: Math.max(...little.map((one) => one.connectionsSeen)),
      rounds,
      settledPerSecondByRound: many.map((one) => rounded(one.settledPerSecond)),
      fewPerSecondByRound: little.map((one) => rounded(one.settledPerSecond)),
      fsck: [...many, ...little].find(({ fsck }) => fsck !== 'clean')?.fsck ?? 'clean',
    };
  }
}

// A server takes 100 connections unless told otherwise, and an executor has one more to listen: what is left is for the others.
const OTHERS = { DATABASE_POOL_MAX: '5' };

const measure = async ({ servers, build }, { mode, children, executors, connections }) => {
  const executorEnv = { DATABASE_POOL_MAX: String(Math.max(1, Math.floor(connections / executors))) };
  const engine = await Engine.start({ servers, build, mode, executors, env: OTHERS, executorEnv });
  let stopSampling;
  try {
    const { api } = engine;
    const dataset = await api.upload('items', 'ndjson', Readable.from(numbered(children)));
    const node = { type: 'HANDLER', config: { handler: 'echo', input: '${item}' } };
    await api.publish(fanOut('contention', node, { dataset: dataset.id }));
    let connectionsSeen = 0;
    stopSampling = repeat(250, async () => {
      const [{ open }] = await servers.query(
        `select count(*)::int as open from pg_stat_activity where application_name = 'fanfold-executor'`,
      );
      connectionsSeen = Math.max(connectionsSeen, open);
    });
    const startedAt = performance.now();
    const { id } = await api.start('contention', {});
    expectSucceeded(await api.settled(id));
    const settledPerSecond = children / secondsSince(startedAt);
    await stopSampling();
    return { settledPerSecond, connectionsSeen, fsck: engine.fsck() };
  } finally {
    await stopSampling?.().catch(() => undefined);
    await engine.stop();
  }
};

export const contention = await asProgram(
  {
    name: 'contention',
    options: {
      children: [50_000],
      mode: ['rabbitmq'],
      rounds: Number(process.env.BENCH_ROUNDS || 3),
      connections: 64,
      // One executor alone never has more than a few statements under way.
      executors: 16,
      few: 2,
    },
    run,
  },
  import.meta,
);
