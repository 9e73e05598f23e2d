// What settling a node of a large graph takes of the orchestrator, and whether twice the nodes take twice the time.
import { Engine, expectSucceeded } from './support/engine.mjs';
import { asProgram } from './support/scenario.mjs';
import { rounded, secondsSince } from './support/statistics.mjs';

const WIDTH = 100;
const kinds = {
  transform: { type: 'TRANSFORM', config: { output: '${input.n}' } },
  handler: { type: 'HANDLER', config: { handler: 'nothing' } },
};
const shapes = {
  /** One node after another. */
  chain: (count) => Array.from({ length: count - 1 }, (_, n) => [n, n + 1]),
  /** Layers of 100 nodes, each behind three of the layer before. */
  layers: (count) => {
    const edges = [];
    for (let n = WIDTH; n < count; n++) {
      const layer = n - (n % WIDTH) - WIDTH;
      for (const shift of [WIDTH - 1, 0, 1]) edges.push([layer + ((n + shift) % WIDTH), n]);
    }
    return edges;
  },
};

/** `BENCH_GRAPHS=chain-handler,layers-handler` leaves the others out. */
const only = process.env.BENCH_GRAPHS?.split(',') ?? [];

async function* run({ servers, build }, { mode, nodes: sizes, executors }) {
  for (const shape of Object.keys(shapes))
    for (const kind of Object.keys(kinds)) {
      if (only.length > 0 && !only.includes(`${shape}-${kind}`)) continue;
      let before = null;
      for (const nodes of sizes) {
        const figures = await measure({ servers, build, mode, executors }, shape, kind, nodes);
        const doubled = before !== null && nodes === 2 * before.nodes;
        yield {
          shape,
          kind,
          nodes,
          ...figures,
          cpuRatioToHalf: doubled ? rounded(figures.orchestratorCpuSeconds / before.orchestratorCpuSeconds, 2) : null,
          wallRatioToHalf: doubled ? rounded(figures.wallSeconds / before.wallSeconds, 2) : null,
        };
        before = { nodes, ...figures };
      }
    }
}

const measure = async (setting, shape, kind, count) => {
  const engine = await Engine.start(setting);
  try {
    const { api } = engine;
    const nodes = Array.from({ length: count }, (_, n) => ({ id: `n${n}`, ...kinds[kind] }));
    const edges = shapes[shape](count).map(([from, to]) => ({ from: `n${from}`, to: `n${to}` }));
    const publishedAt = performance.now();
    await api.publish({ name: 'graph', nodes, edges });
    const publishSeconds = secondsSince(publishedAt);
    const role = setting.mode === 'standalone' ? 'standalone' : 'orchestrator';
    const cpuBefore = engine.cpuSeconds()[role];
    const startedAt = performance.now();
    const { id } = await api.start('graph', { n: 1 });
    expectSucceeded(await api.settled(id));
    const wallSeconds = secondsSince(startedAt);
    const orchestratorCpuSeconds = engine.cpuSeconds()[role] - cpuBefore;
    return {
      settledPerSecond: rounded(count / wallSeconds),
      orchestratorCpuSeconds: rounded(orchestratorCpuSeconds, 2),
      wallSeconds: rounded(wallSeconds, 2),
      orchestratorCpuMsPerNode: rounded((orchestratorCpuSeconds * 1_000) / count, 3),
      wallMsPerNode: rounded((wallSeconds * 1_000) / count, 3),
      publishSeconds: rounded(publishSeconds, 2),
      fsck: engine.fsck(),
    };
  } finally {
    await engine.stop();
  }
};

export const graphs = await asProgram(
  {
    name: 'graphs',
    options: { nodes: [1_250, 2_500, 5_000, 10_000], mode: ['rabbitmq'], executors: 1 },
    run,
  },
  import.meta,
);
