// What a large fan-out does to a small one: 10 items alone, and beside 200,000. And one that only waits for a limited destination: what
// others get while it does. Times of the small ones are medians.
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Engine, expectSucceeded, fanOut } from './support/engine.mjs';
import { asProgram } from './support/scenario.mjs';
import { median, rounded } from './support/statistics.mjs';

const SMALL = 10;

async function* run({ servers, build }, { mode, children, slots, millis, rounds }) {
  const engine = await Engine.start({ servers, build, mode, env: { EXECUTOR_SLOTS: String(slots) } });
  try {
    const { api } = engine;
    const node =
      millis === 0
        ? { type: 'HANDLER', config: { handler: 'echo', input: '${item}' } }
        : { type: 'HANDLER', config: { handler: 'pause', input: { milliseconds: millis } } };
    const rows = Array.from({ length: children }, (_, n) => `{"n":${n}}\n`);
    const dataset = await api.upload('items', 'ndjson', Readable.from([rows.join('')]));
    await api.publish(fanOut('large', node, { dataset: dataset.id }));
    await api.publish(fanOut('small', node));
    await api.limit('narrow', { maxConcurrency: 1 });
    const slow = {
      type: 'HANDLER',
      config: { handler: 'pause', input: { milliseconds: 1_000 } },
      destinations: ['narrow'],
    };
    await api.publish(fanOut('narrow', slow, { dataset: dataset.id }));
    const smallMs = async () => {
      const startedAt = performance.now();
      const { id } = await api.start('small', { items: Array.from({ length: SMALL }, (_, n) => n) });
      expectSucceeded(await api.settled(id));
      return performance.now() - startedAt;
    };
    const times = async (count) => {
      const all = [];
      while (all.length < count) all.push(await smallMs());
      return all;
    };
    const beside = async (name) => {
      const { id } = await api.start(name, {});
      await sleep(2_000);
      const all = [];
      while (all.length < rounds) {
        const took = await smallMs();
        // One that ended when the large one did says nothing.
        if ((await api.execution(id)).state !== 'RUNNING') break;
        all.push(took);
        await sleep(100);
      }
      await api.post(`/v1/executions/${id}/cancel`);
      return all;
    };
    await times(5);
    const alone = median(await times(rounds));
    const besideLarge = await beside('large');
    const besideNarrow = await beside('narrow');
    yield {
      children,
      slots,
      childMs: millis,
      aloneMs: rounded(alone, 1),
      besideLargeMs: rounded(median(besideLarge), 1),
      timesAlone: rounded(median(besideLarge) / alone, 2),
      besideNarrowMs: rounded(median(besideNarrow), 1),
      narrowTimesAlone: rounded(median(besideNarrow) / alone, 2),
      besideLarge: besideLarge.map((ms) => rounded(ms)),
      rounds: besideLarge.length,
      fsck: engine.fsck(),
    };
  } finally {
    await engine.stop();
  }
}

export const turns = await asProgram(
  { name: 'turns', options: { children: 200_000, mode: ['rabbitmq'], slots: 20, millis: 100, rounds: 15 }, run },
  import.meta,
);
