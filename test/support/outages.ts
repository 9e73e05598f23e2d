import { eventually } from './eventually.js';
import { follow } from './event-stream.js';
import { begun } from './begun.js';
import { fanOut, numbers, quickRetry } from './fan-out.js';
import type { Stage } from './in-every-mode.js';

export interface Outage {
  readonly items: number;
  /** How long a call of the destination takes: with `items` and 20 calls at once, how long the run takes. */
  readonly callMs: number;
  /** While the run is on its way, followed by a stream. */
  fault(): Promise<void>;
}

/**
 * A run through an outage: no process ends, every item is done, the stream goes on by itself, and everything is ready again.
 * @returns how many calls were made more than once
 */
export const throughOutage = async (stage: Stage, { items, callMs, fault }: Outage): Promise<{ repeated: number }> => {
  const { engine, sink } = stage;
  const { api } = engine;
  sink.answer(() => ({ delayMs: callMs }));
  const name = stage.name();
  await api.publish(
    fanOut(name, `${sink.url}/items`, { spawner: { maxConcurrency: 20 }, node: { retry: quickRetry(4) } }),
  );
  const { id } = await api.start(name, { items: numbers(items) });
  const calls = () => sink.calls.filter(({ path }) => path === '/items');
  const streamed = begun(follow(api, id));
  await eventually(() => expect(calls().length).toBeGreaterThan(40));
  await fault();
  const done = await eventually(() => api.settled(id, 30_000), { timeoutMs: 90_000 });
  expect(done).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: items, failed: 0 }] });
  expect(new Set(calls().map(({ headers }) => headers['idempotency-key'])).size).toBe(items);
  for (const one of engine.processes) {
    expect({ name: one.name, running: one.running }).toEqual({ name: one.name, running: true });
    expect(one.log).not.toMatch(/[Uu]nhandled/);
    await one.ready();
  }
  expect((await streamed).at(-1)).toMatchObject({ event: 'end', data: { state: 'SUCCEEDED' } });
  return { repeated: calls().length - items };
};
