// What somebody waits for who looks at a large fan-out while it runs: the page of the execution, and pages of its children.
import { Engine } from './support/engine.mjs';
import { keepBusy } from './support/load.mjs';
import { asProgram } from './support/scenario.mjs';
import { percentile, rounded } from './support/statistics.mjs';

async function* run({ servers, build }, { mode, children, reads: count, executors }) {
  const engine = await Engine.start({ servers, build, mode, executors });
  try {
    const { api } = engine;
    const load = await keepBusy(api, children);
    const times = { execution: [], firstPage: [], nextPage: [], failedPage: [] };
    const timed = async (name, path) => {
      const startedAt = performance.now();
      const answer = await api.get(path);
      times[name].push(performance.now() - startedAt);
      return answer;
    };
    let id;
    let cursor;
    for (let n = 0; n < count; n++) {
      // When one has settled the next one runs, and pages begin anew.
      if (id !== load.id()) cursor = undefined;
      id = load.id();
      const path = `/v1/executions/${id}`;
      await timed('execution', path);
      const first = await timed('firstPage', `${path}/children`);
      cursor ??= first.nextCursor;
      // Page by page through the list, as far as it is spawned.
      if (cursor)
        ({ nextCursor: cursor } = await timed('nextPage', `${path}/children?cursor=${encodeURIComponent(cursor)}`));
      await timed('failedPage', `${path}/children?state=FAILED`);
    }
    const { settledPerSecond } = await load.stop();
    yield {
      children,
      settledPerSecond: rounded(settledPerSecond),
      reads: count,
      ...Object.fromEntries(
        Object.entries(times).flatMap(([name, all]) => [
          [`${name}P50Ms`, all.length > 0 ? rounded(percentile(all, 50), 1) : null],
          [`${name}P99Ms`, all.length > 0 ? rounded(percentile(all, 99), 1) : null],
        ]),
      ),
      executors,
      fsck: engine.fsck(),
    };
  } finally {
    await engine.stop();
  }
}

export const reads = await asProgram(
  { name: 'reads', options: { children: 200_000, mode: ['rabbitmq'], reads: 500, executors: 1 }, run },
  import.meta,
);
