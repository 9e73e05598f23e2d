import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fanOut } from './engine.mjs';

/**
 * Keeps a large fan-out of no-ops running beside what is measured: when one has settled the next is started.
 *
 * @returns `{id, stop}`; `id()` is the execution that runs now, `stop()` cancels it and gives the rate so far
 */
export const keepBusy = async (api, children) => {
  const dataset = await api.upload('load', 'ndjson', Readable.from(numbered(children)));
  const node = { type: 'HANDLER', config: { handler: 'echo', input: '${item}' } };
  await api.publish(fanOut('load', node, { dataset: dataset.id }));
  const started = [];
  let stopped = false;
  const startedAt = performance.now();
  const loop = (async () => {
    while (!stopped) {
      started.push((await api.start('load', {})).id);
      // Asked rather than waited for, so that stopping waits for nobody.
      while (!stopped && !(await api.execution(started.at(-1))).finishedAt) await sleep(200);
    }
  })();
  loop.catch(() => undefined);
  while (started.length === 0 || ((await api.execution(started[0])).fanOuts[0]?.succeeded ?? 0) === 0) await sleep(50);
  return {
    id: () => started.at(-1),
    async stop() {
      stopped = true;
      await loop;
      const seconds = (performance.now() - startedAt) / 1_000;
      let settled = 0;
      for (const id of started) settled += (await api.execution(id)).fanOuts[0]?.succeeded ?? 0;
      const last = started.at(-1);
      if (!(await api.execution(last)).finishedAt) await api.post(`/v1/executions/${last}/cancel`);
      while ((await api.execution(last)).openDescendants > 0) await sleep(100);
      return { settledPerSecond: settled / seconds };
    },
  };
};

/** Rows of NDJSON, a thousand a piece. */
export function* numbered(count) {
  for (let from = 0; from < count; from += 1_000) {
    let text = '';
    for (let n = from; n < Math.min(count, from + 1_000); n++) text += `{"n":${n}}\n`;
    yield text;
  }
}
