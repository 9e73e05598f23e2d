// Many streams on one execution while its fan-out runs: what they cost the api, what they cost the fan-out, and how late each of
// them is told that it has ended.
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Engine, expectSucceeded, fanOut } from './support/engine.mjs';
import { openStream } from './support/event-stream.mjs';
import { numbered } from './support/load.mjs';
import { asProgram } from './support/scenario.mjs';
import { percentile, rounded, secondsSince } from './support/statistics.mjs';

const AT_ONCE = 50;

async function* run({ servers, build }, { mode, children, watchers: count, executors }) {
  const engine = await Engine.start({ servers, build, mode, executors });
  try {
    const { api } = engine;
    const dataset = await api.upload('items', 'ndjson', Readable.from(numbered(children)));
    const node = { type: 'HANDLER', config: { handler: 'echo', input: '${item}' } };
    await api.publish(fanOut('watched', node, { dataset: dataset.id }));
    const alone = await measure(engine, children, 0);
    const watched = await measure(engine, children, count);
    const told = watched.delaysMs;
    yield {
      children,
      settledPerSecond: rounded(watched.settledPerSecond),
      watchers: count,
      apiCpuSecondsPerSecond: rounded(watched.apiCpu, 3),
      unwatchedApiCpuSecondsPerSecond: rounded(alone.apiCpu, 3),
      unwatchedPerSecond: rounded(alone.settledPerSecond),
      ratioToUnwatched: rounded(watched.settledPerSecond / alone.settledPerSecond, 3),
      settledEventP50Ms: rounded(percentile(told, 50)),
      settledEventP99Ms: rounded(percentile(told, 99)),
      settledEventMaxMs: rounded(Math.max(...told)),
      watchersTold: told.length,
      connectSeconds: rounded(watched.connectSeconds, 1),
      mbReceived: rounded(watched.received / 1e6, 1),
      executors,
      fsck: engine.fsck(),
    };
  } finally {
    await engine.stop();
  }
}

const measure = async (engine, children, count) => {
  const { api } = engine;
  const role = engine.services[0].role;
  const { id } = await api.start('watched', {});
  // Paused until all of them watch, so that none comes too late and connecting is not measured.
  await api.post(`/v1/executions/${id}/pause`);
  const connectAt = performance.now();
  const watchers = [];
  const toldAt = [];
  let received = 0;
  for (let from = 0; from < count; from += AT_ONCE) {
    const opened = Array.from({ length: Math.min(AT_ONCE, count - from) }, () => {
      let tail = '';
      let told = false;
      return openStream(api, id, (text) => {
        received += text.length;
        if (told) return;
        // The word may be cut in two.
        told = (tail + text).includes('"execution.succeeded"');
        tail = text.slice(-32);
        if (told) toldAt.push(Date.now());
      });
    });
    await Promise.all(opened.map(({ connected }) => connected));
    watchers.push(...opened);
  }
  const connectSeconds = secondsSince(connectAt);
  // What ran when it was paused ends nevertheless.
  let before;
  do {
    before = (await api.execution(id)).fanOuts[0];
    await sleep(200);
  } while (before?.running > 0);
  const cpuBefore = engine.cpuSeconds()[role];
  const startedAt = performance.now();
  await api.post(`/v1/executions/${id}/resume`);
  const settled = expectSucceeded(await api.settled(id));
  const seconds = secondsSince(startedAt);
  const settledPerSecond = (children - (before?.succeeded ?? 0)) / seconds;
  const apiCpu = (engine.cpuSeconds()[role] - cpuBefore) / seconds;
  await Promise.all(watchers.map(({ ended }) => ended));
  const finishedAt = Date.parse(settled.finishedAt);
  return {
    settledPerSecond,
    apiCpu,
    connectSeconds,
    received,
    delaysMs: toldAt.map((at) => at - finishedAt),
  };
};

export const watchers = await asProgram(
  { name: 'watchers', options: { children: 200_000, mode: ['rabbitmq'], watchers: 1_000, executors: 1 }, run },
  import.meta,
);
