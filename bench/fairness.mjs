// A small execution that comes while a large one holds every slot: how long it takes, and how far admission runs ahead of
// the executors meanwhile. A fan-out of no-ops goes before, as what was fast a moment ago says nothing about what comes.
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Engine, expectSucceeded, fanOut } from './support/engine.mjs';
import { repeat } from './support/repeat.mjs';
import { asProgram } from './support/scenario.mjs';
import { rounded, secondsSince } from './support/statistics.mjs';

const SLOTS = 20;
const CHILD_MS = 100;
const SMALL = 10;
const HEAD_START_MS = 3_000;

async function* run({ servers, build }, { mode, children, window, fast }) {
  const env = { EXECUTOR_SLOTS: String(SLOTS), ADMISSION_WINDOW: String(window) };
  const engine = await Engine.start({ servers, build, mode, env, warmUp: fast });
  let stopSampling;
  try {
    const { api } = engine;
    const node = { type: 'HANDLER', config: { handler: 'pause', input: { milliseconds: CHILD_MS } } };
    const rows = Array.from({ length: children }, (_, n) => `{"n":${n}}\n`);
    const dataset = await api.upload('items', 'ndjson', Readable.from([rows.join('')]));
    await api.publish(fanOut('large', node, { dataset: dataset.id }));
    await api.publish(fanOut('small', node));
    const small = async () => {
      const startedAt = performance.now();
      const { id } = await api.start('small', { items: Array.from({ length: SMALL }, (_, n) => n) });
      expectSucceeded(await api.settled(id));
      return rounded(secondsSince(startedAt), 2);
    };
    const smallAloneSeconds = await small();

    let readyMax = 0;
    let readySamples = 0;
    stopSampling = repeat(100, async () => {
      const [{ ready }] = await servers.query(
        `select count(*)::int as ready from ${engine.namespace}.task where state = 'ready'`,
      );
      readySamples++;
      readyMax = Math.max(readyMax, ready);
    });
    const startedAt = performance.now();
    const { id } = await api.start('large', {});
    await sleep(HEAD_START_MS);
    const smallSeconds = await small();
    const largeStateAfterSmall = (await api.execution(id)).state;
    expectSucceeded(await api.settled(id));
    const largeSeconds = secondsSince(startedAt);
    await stopSampling();

    yield {
      children,
      settledPerSecond: rounded(children / largeSeconds, 1),
      slots: SLOTS,
      childMs: CHILD_MS,
      slotsPerSecond: (SLOTS * 1_000) / CHILD_MS,
      smallAloneSeconds,
      smallSeconds,
      largeStateAfterSmall,
      largeSeconds: rounded(largeSeconds, 1),
      readyMax,
      readySamples,
      admissionWindow: window,
      fastBefore: fast,
      fsck: engine.fsck(),
    };
  } finally {
    await stopSampling?.().catch(() => undefined);
    await engine.stop();
  }
}

export const fairness = await asProgram(
  { name: 'fairness', options: { children: 20_000, mode: ['rabbitmq'], window: 5_000, fast: 500 }, run },
  import.meta,
);
