// How long one small execution takes, on an engine that has nothing else to do and beside a large fan-out; as told by the
// waiting GET and by the stream.
import { Engine, expectSucceeded } from './support/engine.mjs';
import { openStream } from './support/event-stream.mjs';
import { keepBusy } from './support/load.mjs';
import { asProgram } from './support/scenario.mjs';
import { percentile, rounded } from './support/statistics.mjs';

// Programs that live for days have met such executions before.
const WARM_UP = 250;
const CONDITIONS = ['nothing', 'load'];

async function* run(setting, { under: conditions, ...options }) {
  const unknown = conditions.filter((one) => !CONDITIONS.includes(one));
  if (unknown.length > 0)
    throw new Error(`--under is one or more of ${CONDITIONS.join(',')}, not ${unknown.join(',')}`);
  for (const under of conditions) yield measureLatency({ ...setting, mode: options.mode }, { ...options, under });
}

export const measureLatency = async (setting, { executions, under = 'nothing', beside = 0 }) => {
  const engine = await Engine.start(setting);
  try {
    const { api } = engine;
    await api.publish({
      name: 'latency',
      nodes: [{ id: 'only', type: 'HANDLER', config: { handler: 'echo', input: '${input}' } }],
      edges: [],
    });
    const load = under === 'load' ? await keepBusy(api, beside) : undefined;
    const asked = [];
    const streamed = [];
    const recorded = [];
    for (let n = 0; n < executions + WARM_UP; n++) {
      // In turns, so that both are told of the same engine.
      for (const [list, settled] of [
        [asked, waited],
        [streamed, watched],
      ]) {
        const startedAt = performance.now();
        const { id } = await api.start('latency', { n });
        const { createdAt, finishedAt } = await settled(api, id, () => {
          if (n >= WARM_UP) list.push(performance.now() - startedAt);
        });
        if (n >= WARM_UP) recorded.push(new Date(finishedAt) - new Date(createdAt));
      }
    }
    const loaded = await load?.stop();
    return {
      children: load ? beside : 0,
      settledPerSecond: loaded ? rounded(loaded.settledPerSecond) : null,
      under,
      executions,
      p50Ms: rounded(percentile(asked, 50), 1),
      p99Ms: rounded(percentile(asked, 99), 1),
      maxMs: rounded(Math.max(...asked), 1),
      streamP50Ms: rounded(percentile(streamed, 50), 1),
      streamP99Ms: rounded(percentile(streamed, 99), 1),
      streamMaxMs: rounded(Math.max(...streamed), 1),
      recordedP50Ms: percentile(recorded, 50),
      recordedP99Ms: percentile(recorded, 99),
      fsck: engine.fsck(),
    };
  } finally {
    await engine.stop();
  }
};

const waited = async (api, id, onSettled) => {
  const execution = expectSucceeded(await api.settled(id));
  onSettled();
  return execution;
};

const watched = async (api, id, onSettled) => {
  await openStream(api, id).ended;
  onSettled();
  return expectSucceeded(await api.execution(id));
};

export const latency = await asProgram(
  {
    name: 'latency',
    options: { mode: ['rabbitmq', 'postgres'], executions: 200, under: ['nothing'], beside: 200_000 },
    run,
  },
  import.meta,
);
