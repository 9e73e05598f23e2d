import { begun } from '../support/begun.js';
import { fanOut, quickRetry } from '../support/fan-out.js';
import { follow } from '../support/event-stream.js';
import type { EventView } from '../support/api-client.js';
import { inEveryMode } from '../support/in-every-mode.js';

inEveryMode('a stream, a cursor and the counters', (stage) => {
  it('agree on everything that has happened, once each and in order', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    const tries = new Map<number, number>();
    sink.answer(({ body }) => {
      const { n } = JSON.parse(body) as { n: number };
      tries.set(n, (tries.get(n) ?? 0) + 1);
      if (n % 100 === 1) return { status: 400 };
      return n % 50 === 2 && tries.get(n) === 1 ? { status: 503 } : {};
    });
    const name = stage.name();
    await api.publish(
      fanOut(name, sink.url, { merge: { tolerateChildFailures: ['FAILED'] }, node: { retry: quickRetry() } }),
    );
    const { id } = await api.start(name, { items: Array.from({ length: 2_000 }, (_, n) => ({ n })) });
    let over = false;
    const poll = async (): Promise<EventView[]> => {
      const seen: EventView[] = [];
      for (;;) {
        const last = over;
        const { items } = await api.need(
          200,
          'GET',
          `/v1/executions/${id}/events?after=${seen.at(-1)?.seq ?? 0}&limit=7`,
        );
        seen.push(...items);
        if (last && items.length === 0) return seen;
      }
    };
    let dropped = 0;
    const polled = begun(poll());
    const streamed = begun(follow(api, id, (count) => count % 3 === 0 && (dropped += 1) <= 20));
    // However this ends, nothing may go on asking an engine that the next test uses.
    const done = await api.settled(id).finally(() => (over = true));
    const history = await api.events(id);
    expect(history.map(({ seq }) => seq)).toEqual(history.map((_, index) => index + 1));
    expect(await polled).toEqual(history);
    const frames = await streamed;
    const told = frames
      .filter(({ event }) => event === 'state' || event === 'node')
      .map(({ data }) => data as EventView);
    const [snapshot] = frames;
    expect(snapshot!.event).toBe('snapshot');
    expect(told).toEqual(history.filter(({ seq }) => seq > snapshot!.id!));
    const children = await api.children(id);
    const count = (state: string) => children.filter((child) => child.state === state).length;
    expect(done.fanOuts[0]).toMatchObject({
      succeeded: count('SUCCEEDED'),
      failed: count('FAILED'),
      cancelled: 0,
      pending: 0,
      ready: 0,
      running: 0,
    });
    expect([count('SUCCEEDED'), count('FAILED')]).toEqual([1_980, 20]);
    const progress = frames.filter(({ event }) => event === 'progress').map(({ data }) => data.fanOuts[0]);
    for (const one of progress) {
      const { spawned, pending, ready, running, paused, succeeded, failed, cancelled } = one;
      expect(pending + ready + running + paused + succeeded + failed + cancelled).toBe(spawned);
    }
    expect(progress.at(-1)).toMatchObject({ succeeded: 1_980, failed: 20 });
  });
});
