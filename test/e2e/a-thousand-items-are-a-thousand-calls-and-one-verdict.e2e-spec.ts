import { fanOut, numbers, reportTo } from '../support/fan-out.js';
import { inEveryMode } from '../support/in-every-mode.js';

inEveryMode('a thousand items', (stage) => {
  it('are a thousand calls, a thousand children and one verdict', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    const name = stage.name();
    await api.publish(fanOut(name, `${sink.url}/item`, reportTo(`${sink.url}/report`)));
    const items = numbers(1_000);
    const done = await api.run(name, { items });
    expect(done).toMatchObject({ state: 'SUCCEEDED', openDescendants: 0 });
    expect(done.fanOuts).toMatchObject([
      { total: 1_000, spawned: 1_000, sealed: true, succeeded: 1_000, failed: 0, cancelled: 0, verdict: 'PASSED' },
    ]);
    const calls = sink.calls.filter(({ path }) => path === '/item');
    expect(calls.map(({ body }) => JSON.parse(body).n).sort((a, b) => a - b)).toEqual(items.map(({ n }) => n));
    expect(new Set(calls.map(({ headers }) => headers['idempotency-key'])).size).toBe(1_000);
    for (const { headers } of calls) expect(headers['x-execution-id']).toBe(`${String(headers['idempotency-key'])}-1`);
    expect(sink.calls.filter(({ path }) => path === '/report').map(({ body }) => JSON.parse(body))).toEqual([
      { total: 1_000, succeeded: 1_000, failed: 0, cancelled: 0 },
    ]);
    const children = await api.children(done.id);
    expect(children.map(({ itemIndex }) => itemIndex)).toEqual(items.map(({ n }) => n));
    expect(children.every((child) => child.parentId === done.id && child.rootId === done.id)).toBe(true);
    expect((await api.resultLines(done.id)).map((line) => JSON.parse(line).index)).toEqual(items.map(({ n }) => n));
    const verdicts = (await api.events(done.id)).filter(({ type }) => type === 'fanout.verdict');
    expect(verdicts).toHaveLength(1);
  });

  it('have a history each', async () => {
    const { sink, engine } = stage;
    const name = stage.name();
    await engine.api.publish(fanOut(name, sink.url));
    const done = await engine.api.run(name, { items: numbers(10) });
    for (const child of await engine.api.children(done.id)) {
      const events = await engine.api.events(child.id);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      expect(events.map(({ type }) => type)).toEqual(
        expect.arrayContaining([
          'execution.created',
          'execution.started',
          'attempt.started',
          'attempt.ended',
          'execution.succeeded',
        ]),
      );
      expect(await engine.api.attempts(child.id)).toMatchObject([{ attempt: 1, charged: true, outcome: 'SUCCEEDED' }]);
    }
  });
});
