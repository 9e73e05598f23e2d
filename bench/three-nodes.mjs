// Children that are pipelines of three HANDLER nodes, one after the other, in turns with children of one, on the same engine.
import { Readable } from 'node:stream';
import { Engine, expectSucceeded } from './support/engine.mjs';
import { numbered } from './support/load.mjs';
import { inTurns } from './support/in-turns.mjs';
import { asProgram } from './support/scenario.mjs';
import { median, rounded, secondsSince } from './support/statistics.mjs';

async function* run({ servers, build }, { mode, children: sizes, executors, rounds }) {
  for (const children of sizes) {
    const engine = await Engine.start({ servers, build, mode, executors });
    try {
      const { api } = engine;
      const dataset = await api.upload('items', 'ndjson', Readable.from(numbered(children)));
      for (const count of [1, 3]) {
        await api.publish(chain(`child-${count}`, count));
        await api.publish(parent(`parent-${count}`, `child-${count}`, dataset.id));
      }
      const perSecond = async (name) => {
        const startedAt = performance.now();
        const { id } = await api.start(name, {});
        const { fanOuts } = expectSucceeded(await api.settled(id));
        if (fanOuts[0].succeeded !== children) throw new Error(`not ${children}: ${JSON.stringify(fanOuts)}`);
        return children / secondsSince(startedAt);
      };
      const [one, three] = await inTurns(
        rounds,
        () => perSecond('parent-1'),
        () => perSecond('parent-3'),
      );
      yield {
        children,
        settledPerSecond: rounded(median(three)),
        nodesPerSecond: rounded(3 * median(three)),
        oneNodePerSecond: rounded(median(one)),
        ratio: rounded(median(three) / median(one), 3),
        executors,
        rounds,
        settledPerSecondByRound: three.map((value) => rounded(value)),
        oneNodePerSecondByRound: one.map((value) => rounded(value)),
        fsck: engine.fsck(),
      };
    } finally {
      await engine.stop();
    }
  }
}

/** Nodes one behind the other, each of which hands on what it is given. */
const chain = (name, count) => ({
  name,
  nodes: Array.from({ length: count }, (_, n) => ({
    id: `n${n}`,
    type: 'HANDLER',
    config: { handler: 'echo', input: n === 0 ? '${input}' : `\${nodes.n${n - 1}.output}` },
  })),
  edges: Array.from({ length: count - 1 }, (_, n) => ({ from: `n${n}`, to: `n${n + 1}` })),
});

const parent = (name, pipeline, dataset) => ({
  name,
  nodes: [
    { id: 'fan', type: 'SPAWNER', config: { items: { dataset }, pipeline } },
    { id: 'join', type: 'MERGE', config: {} },
  ],
  edges: [{ from: 'fan', to: 'join' }],
});

export const threeNodes = await asProgram(
  {
    name: 'three-nodes',
    options: { children: [10_000], mode: ['rabbitmq'], executors: 1, rounds: Number(process.env.BENCH_ROUNDS || 3) },
    run,
  },
  import.meta,
);
