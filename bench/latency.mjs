// How long one small execution takes on an engine that has nothing else to do.
import { Engine, expectSucceeded } from './support/engine.mjs';
import { asProgram } from './support/scenario.mjs';
import { percentile, rounded } from './support/statistics.mjs';

async function* run({ servers, build }, { mode, executions }) {
  const engine = await Engine.start({ servers, build, mode });
  try {
    const { api } = engine;
    await api.publish({
      name: 'latency',
      nodes: [{ id: 'only', type: 'HANDLER', config: { handler: 'echo', input: '${input}' } }],
      edges: [],
    });
    const asked = [];
    const recorded = [];
    for (let n = 0; n < executions + WARM_UP; n++) {
      const startedAt = performance.now();
      const { id } = await api.start('latency', { n });
      const { createdAt, finishedAt } = expectSucceeded(await api.settled(id));
      if (n < WARM_UP) continue;
      asked.push(performance.now() - startedAt);
      recorded.push(new Date(finishedAt) - new Date(createdAt));
    }
    yield {
      children: 0,
      executions,
      p50Ms: rounded(percentile(asked, 50), 1),
      p99Ms: rounded(percentile(asked, 99), 1),
      maxMs: rounded(Math.max(...asked), 1),
      recordedP50Ms: percentile(recorded, 50),
      recordedP99Ms: percentile(recorded, 99),
      fsck: engine.fsck(),
    };
  } finally {
    await engine.stop();
  }
}

const WARM_UP = 20;

export const latency = await asProgram(
  { name: 'latency', options: { mode: ['rabbitmq', 'postgres'], executions: 200 }, run },
  import.meta,
);
