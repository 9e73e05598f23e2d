// What an operator waits for when he pauses, resumes and cancels a fan-out with a million pending children, as a whole and by
// its execution, and how soon the rows have followed.
import { setTimeout as sleep } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { Engine, fanOut } from './support/engine.mjs';
import { asProgram } from './support/scenario.mjs';
import { rounded, secondsSince } from './support/statistics.mjs';

const ROUNDS = 5;
/** Children that run all the time, so that claims and settlements stand in the way of the operator as they do in use. */
const RUNNING = 8;

async function* run({ servers, build }, { mode, children }) {
  const engine = await Engine.start({ servers, build, mode, env: { SPAWN_LEAD: String(children + 1_000) } });
  try {
    const { api } = engine;
    const dataset = await api.upload('rows', 'ndjson', Readable.from(rows(children)));
    const node = { type: 'HANDLER', config: { handler: 'pause', input: { milliseconds: 200 } } };
    const definition = fanOut('control', node, { dataset: dataset.id }, { tolerateChildFailures: ['CANCELLED'] });
    definition.nodes[0].config.maxConcurrency = RUNNING;
    await api.publish(definition);
    const { id } = await api.start('control', {});
    const times = {};
    const act = async (name, path) => {
      const startedAt = performance.now();
      await api.post(`/v1/executions/${id}/${path}`);
      (times[name] ??= []).push(performance.now() - startedAt);
    };
    const spawned = async () => (await api.execution(id)).fanOuts[0]?.spawned ?? 0;

    const spawnStartedAt = performance.now();
    while ((await spawned()) < children / 2) await sleep(100);
    await act('pauseWhileSpawning', 'pause');
    await act('resumeWhileSpawning', 'resume');
    while ((await spawned()) < children) await sleep(100);
    const spawnSeconds = secondsSince(spawnStartedAt);
    for (let round = 0; round < ROUNDS; round++)
      for (const [name, path] of [
        ['pause', 'pause'],
        ['resume', 'resume'],
        ['pauseFanOut', 'fan-outs/fan/pause'],
        ['resumeFanOut', 'fan-outs/fan/resume'],
      ]) {
        await act(name, path);
        await sleep(300);
      }
    const before = (await api.execution(id)).fanOuts[0];
    const cancelledAt = performance.now();
    await act('cancelFanOut', 'fan-outs/fan/cancel');
    // while the rows of the fan-out move
    await sleep(500);
    await act('cancel', 'cancel');
    let now;
    while ((now = await api.execution(id)).openDescendants > 0) await sleep(200);
    const cancelSeconds = secondsSince(cancelledAt);
    const { cancelled } = now.fanOuts[0];
    yield {
      children,
      pending: before.pending,
      spawnSeconds: rounded(spawnSeconds, 1),
      ...Object.fromEntries(Object.entries(times).map(([name, all]) => [`${name}Ms`, rounded(Math.max(...all), 1)])),
      cancelledRows: cancelled,
      rowsCancelledSeconds: rounded(cancelSeconds, 1),
      state: now.state,
      fsck: engine.fsck(),
    };
  } finally {
    await engine.stop();
  }
}

function* rows(count) {
  for (let n = 0; n < count; n++) yield `{"n":${n}}\n`;
}

export const control = await asProgram(
  { name: 'control', options: { mode: ['rabbitmq'], children: 100_000 }, run },
  import.meta,
);
