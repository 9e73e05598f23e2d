// A large list while no executor lives: how far the work runs ahead, what it costs in memory, and that it goes on by itself when an executor
// comes.
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Engine, expectSucceeded, fanOut } from './support/engine.mjs';
import { residentMb } from './support/process-figures.mjs';
import { asProgram } from './support/scenario.mjs';
import { rounded, secondsSince } from './support/statistics.mjs';

async function* run({ servers, build }, { mode, children, seconds }) {
  const engine = await Engine.start({ servers, build, mode });
  try {
    const { api } = engine;
    const rows = Array.from({ length: children }, (_, n) => `{"n":${n}}\n`);
    const dataset = await api.upload('items', 'ndjson', Readable.from([rows.join('')]));
    await api.publish(
      fanOut('large', { type: 'HANDLER', config: { handler: 'echo', input: '${item}' } }, { dataset: dataset.id }),
    );
    const executors = engine.services.filter(({ role }) => role === 'executor');
    await Promise.all(executors.map((executor) => executor.stop()));
    const orchestrator = engine.services.find(({ role }) => role === 'orchestrator');
    const { id } = await api.start('large', {});
    const fan = async () => (await api.execution(id)).fanOuts[0];
    const startedAt = performance.now();
    while ((await fan())?.deferredReason !== 'SPAWN_LEAD') {
      if (secondsSince(startedAt) > 60) throw new Error(`it does not park: ${JSON.stringify(await fan())}`);
      await sleep(100);
    }
    const parkedAfterSeconds = secondsSince(startedAt);
    const rssAtFirst = residentMb(orchestrator.pid);
    let readyMax = 0;
    let spawnedMax = 0;
    const until = performance.now() + seconds * 1_000;
    while (performance.now() < until) {
      const { ready, spawned } = await fan();
      readyMax = Math.max(readyMax, ready);
      spawnedMax = Math.max(spawnedMax, spawned);
      await sleep(250);
    }
    const why = await api.why(id);
    const rssAtLast = residentMb(orchestrator.pid);
    const wokenAt = performance.now();
    await Promise.all(executors.map((executor) => executor.up()));
    const readySeconds = secondsSince(wokenAt);
    expectSucceeded(await api.settled(id));
    yield {
      children,
      readyMax,
      spawnedMax,
      parkedAfterSeconds: rounded(parkedAfterSeconds, 1),
      parkedSeconds: seconds,
      why: why.reason,
      orchestratorRssMb: [rounded(rssAtFirst), rounded(rssAtLast)],
      executorsUpSeconds: rounded(readySeconds, 1),
      settledAfterSeconds: rounded(secondsSince(wokenAt), 1),
      fsck: engine.fsck(),
    };
  } finally {
    await engine.stop();
  }
}

export const backpressure = await asProgram(
  { name: 'backpressure', options: { children: 200_000, mode: ['rabbitmq'], seconds: 20 }, run },
  import.meta,
);
