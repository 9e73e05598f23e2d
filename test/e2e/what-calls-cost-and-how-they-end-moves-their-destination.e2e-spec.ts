import { modes } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { fanOut, numbers, quickRetry } from '../support/fan-out.js';
import { Gate } from '../support/gate.js';
import { inModes } from '../support/in-every-mode.js';
import { densest } from '../support/windows.js';

const INDEX = { CHEAP: 0, ZERO: 1, NEGATIVE: 2, TEXT: 3, MISSING: 4, TOO_MUCH: 5, NUMBER_AS_TEXT: 6 } as const;

inModes(modes, 'a destination', (stage) => {
  it('takes what each item costs, and fails for good what costs nothing that is a number, or more than ever may start', async () => {
    const { engine, sink } = stage;
    const { api } = engine;
    const destination = `${stage.name()}-tokens`;
    await api.limit(destination, { rate: { limit: 1_000, per: '1s' } });
    const name = stage.name();
    const node = { destinations: [{ name: destination, cost: '${item.tokens}' }] };
    await api.publish(fanOut(name, sink.url, { node, merge: { tolerateChildFailures: ['FAILED'] } }));
    const tokens = [5, 0, -1, 'many', undefined, 1_001, '12'];
    const { id } = await api.start(name, { items: tokens.map((cost) => (cost === undefined ? {} : { tokens: cost })) });
    const done = await api.settled(id);
    expect(done.fanOuts[0]).toMatchObject({ succeeded: 3, failed: 4 });
    const children = await Promise.all((await api.children(id)).map((child) => api.execution(child.id)));
    for (const index of [INDEX.CHEAP, INDEX.ZERO, INDEX.NUMBER_AS_TEXT])
      expect(children[index]!.state).toBe('SUCCEEDED');
    for (const index of [INDEX.NEGATIVE, INDEX.TEXT, INDEX.MISSING])
      expect(children[index]!.error).toMatchObject({ class: 'PERMANENT', code: 'EXPRESSION.FAILED', itemIndex: index });
    expect(children[INDEX.TOO_MUCH]!.error).toMatchObject({ class: 'PERMANENT', code: 'DESTINATION.COST_TOO_HIGH' });
    expect(sink.calls).toHaveLength(3);
    await eventually(async () => expect(await api.destination(destination)).toMatchObject({ inUse: 0, waiting: 0 }));
  });

  it('holds a child back by its rate, says so, and obeys a new one at once', async () => {
    const { engine, sink } = stage;
    const { api } = engine;
    const destination = `${stage.name()}-calls`;
    await api.limit(destination, { rate: { limit: 3, per: '1h' } });
    const name = stage.name();
    await api.publish(fanOut(name, sink.url, { node: { destinations: [destination] } }));
    const { id } = await api.start(name, { items: numbers(12) });
    await eventually(() => expect(sink.calls).toHaveLength(3));
    const waiting = await eventually(async () => {
      const open = (await api.children(id)).filter(({ state }) => state !== 'SUCCEEDED');
      expect(open).toHaveLength(9);
      return open.at(-1)!;
    });
    expect(await api.need(200, 'GET', `/v1/executions/${waiting.id}/why`)).toMatchObject({
      reason: 'DESTINATION_LIMIT',
      destination,
      limit: 'rate',
    });
    expect((await api.destination(destination)).rateState).toMatchObject({ available: 0 });
    expect(sink.calls).toHaveLength(3);
    await api.limit(destination, { rate: { limit: 5, per: '1s' } });
    expect((await api.settled(id, 30_000)).state).toBe('SUCCEEDED');
    expect(sink.calls).toHaveLength(12);
    const starts = sink.calls.slice(3).map(({ at }) => ({ at, units: 1 }));
    expect(densest(starts, 995)).toBeLessThanOrEqual(5);
  });

  it('whose calls keep failing is left alone, is probed, and is called again when a probe succeeds; waiting costs no attempt', async () => {
    const { engine, sink } = stage;
    const { api } = engine;
    const destination = `${stage.name()}-broken`;
    await api.limit(destination, { maxConcurrency: 10 });
    let isBroken = true;
    sink.answer(() => (isBroken ? { status: 500 } : {}));
    const name = stage.name();
    const node = { destinations: [destination], retry: { ...quickRetry(30), maxAttempts: 30 } };
    await api.publish(fanOut(name, sink.url, { node }));
    const { id } = await api.start(name, { items: numbers(40) });
    await eventually(async () => expect((await api.destination(destination)).breaker).toBe('OPEN'));
    const atOpening = sink.calls.length;
    const child = (await api.children(id)).at(-1)!;
    await eventually(async () =>
      expect(await api.need(200, 'GET', `/v1/executions/${child.id}/why`)).toMatchObject({
        reason: 'DESTINATION_LIMIT',
        limit: 'breaker',
      }),
    );
    // Two probes, a second and two after the ones before.
    await eventually(async () => {
      const [row] = await engine.query<{ opens: number }>(
        'select breaker_opens as opens from destination where name = $1',
        [destination],
      );
      expect(row!.opens).toBeGreaterThanOrEqual(3);
    });
    expect(sink.calls.length - atOpening).toBeLessThanOrEqual(15);
    isBroken = false;
    expect((await api.settled(id, 40_000)).state).toBe('SUCCEEDED');
    expect(await api.destination(destination)).toMatchObject({ breaker: 'CLOSED', breakerUntil: null });
    const most = Math.max(
      ...(await Promise.all((await api.children(id)).map(({ id: one }) => api.execution(one)))).map(
        ({ attempt }) => attempt,
      ),
    );
    expect(most).toBeLessThan(15);
  }, 90_000);

  it('has its places back however the calls end that held them, and lets nobody in beyond them', async () => {
    const { engine, sink } = stage;
    const { api } = engine;
    const destination = `${stage.name()}-two`;
    await api.limit(destination, { maxConcurrency: 2 });
    const gate = new Gate();
    sink.answer(async () => (await gate.pass(), {}));
    const name = stage.name();
    const node = { destinations: [destination], timeout: '60s', retry: { maxAttempts: 1 } };
    const merge = { tolerateChildFailures: ['FAILED', 'CANCELLED'] };
    await api.publish(fanOut(name, sink.url, { node, merge }));
    const { id } = await api.start(name, { items: numbers(20) });
    await eventually(() => expect(gate.held).toBe(2));
    const idsOf = async (...states: string[]) =>
      (await api.children(id)).filter(({ state }) => states.includes(state)).map((child) => child.id);
    const again = (calls: number) => eventually(() => expect(sink.calls.length).toBe(calls));
    const [one] = await idsOf('RUNNING');
    await api.act(one!, 'cancel');
    await again(3);
    const queued = await idsOf('PENDING', 'READY');
    await api.act(queued.at(-1)!, 'cancel');
    await Promise.all((await idsOf('RUNNING')).map((running) => api.act(running, 'cancel')));
    await again(5);
    expect(sink.mostInFlight).toBe(2);
    gate.open();
    await api.settled(id, 30_000);
    expect(sink.mostInFlight).toBe(2);
    await eventually(async () => expect(await api.destination(destination)).toMatchObject({ inUse: 0, waiting: 0 }));
    const cancelled = await idsOf('CANCELLED');
    expect(cancelled).toHaveLength(4);
  });
});
