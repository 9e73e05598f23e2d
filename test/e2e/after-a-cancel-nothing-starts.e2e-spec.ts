import { eventually } from '../support/eventually.js';
import { fanOut, numbers, quickRetry, reportTo } from '../support/fan-out.js';
import { Gate } from '../support/gate.js';
import { inEveryMode } from '../support/in-every-mode.js';

inEveryMode('after the answer to a cancel', (stage) => {
  it('no child starts any more, everything settles, and the merge does not fire', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    const gate = new Gate();
    let acknowledged = false;
    const late: string[] = [];
    sink.answer(async (call) => {
      if (acknowledged) late.push(call.body);
      const { n } = JSON.parse(call.body) as { n: number };
      if (n % 10 === 0) return { status: 503 }; // waits for its retry
      if (n >= 20) await gate.pass();
      return {};
    });
    const name = stage.name();
    await api.publish(
      fanOut(name, sink.url, {
        ...reportTo(`${sink.url}/report`),
        spawner: { maxConcurrency: 20 },
        node: { retry: { ...quickRetry(10), initialDelay: '1s' } },
      }),
    );
    const { id } = await api.start(name, { items: numbers(1_000) });
    await eventually(() => expect(gate.held).toBeGreaterThanOrEqual(10));
    await api.act(id, 'cancel');
    // A call that had left before the answer may still be on its way to us; one that starts after it may not come at all.
    const inTransit = sink.calls.length;
    acknowledged = true;
    const done = await api.settled(id);
    expect(done.state).toBe('CANCELLED');
    const settled = await eventually(
      async () => {
        const now = await api.execution(id);
        const [fan] = now.fanOuts;
        expect(now.openDescendants).toBe(0);
        expect(fan!.succeeded + fan!.failed + fan!.cancelled).toBe(fan!.spawned);
        return now;
      },
      { timeoutMs: 20_000 },
    );
    gate.open();
    // Whatever was due by then has had its time: another execution's retries come and go.
    const witness = stage.name();
    let witnessCalls = 0;
    sink.answer((call) => {
      if (call.path !== '/witness') late.push(call.body);
      else witnessCalls += 1;
      return call.path === '/witness' && witnessCalls < 4 ? { status: 503 } : {};
    });
    await api.publish(
      fanOut(witness, `${sink.url}/witness`, { node: { retry: { ...quickRetry(5), initialDelay: '1s' } } }),
    );
    expect(await api.run(witness, { items: [1] })).toMatchObject({ state: 'SUCCEEDED' });
    expect({ late, more: sink.calls.filter(({ path }) => path === '/').length - inTransit }).toEqual({
      late: [],
      more: 0,
    });
    const later = await api.execution(id);
    expect(later.state).toBe('CANCELLED');
    // Its verdict may still be given; the counts are what they were.
    expect(later.fanOuts.map((fan) => ({ ...fan, verdict: '' }))).toEqual(
      settled.fanOuts.map((fan) => ({ ...fan, verdict: '' })),
    );
    for (const child of await api.children(id)) expect(['SUCCEEDED', 'FAILED', 'CANCELLED']).toContain(child.state);
    expect(sink.calls.filter(({ path }) => path === '/report')).toEqual([]);
  });

  it('of a finished execution it is refused and changes nothing', async () => {
    const { sink, engine } = stage;
    const name = stage.name();
    await engine.api.publish(fanOut(name, sink.url));
    const done = await engine.api.run(name, { items: numbers(2) });
    expect(await engine.api.call('POST', `/v1/executions/${done.id}/cancel`, {})).toMatchObject({
      status: 409,
      json: { code: 'EXECUTION.ILLEGAL_TRANSITION' },
    });
    expect(await engine.api.execution(done.id)).toEqual(done);
  });
});
