import { eventually } from '../support/eventually.js';
import { fanOut, numbers } from '../support/fan-out.js';
import { Gate } from '../support/gate.js';
import { modes } from '../support/engine.js';
import { inModes } from '../support/in-every-mode.js';

inModes(modes, 'a paused destination', (stage) => {
  it.each([
    ['that the node lists', false],
    ['of a host that nobody has registered', true],
  ])(
    '%s is not called by anybody, holds no slot, says so, and is called again within a second',
    async (_, implicit) => {
      const { sink, engine } = stage;
      const { api } = engine;
      const gate = new Gate();
      sink.answer(async () => (await gate.pass(), {}));
      const name = stage.name();
      const other = stage.name();
      const destination = implicit ? `host:${new URL(sink.url).host}` : name;
      const path = `/v1/destinations/${encodeURIComponent(destination)}`;
      const isolated = { spawner: { maxConcurrency: 5 }, ...(implicit ? {} : { node: { destinations: [name] } }) };
      if (!implicit) await api.limit(name, { maxConcurrency: 50 });
      await api.publish(fanOut(name, sink.url, isolated));
      const { id } = await api.start(name, { items: numbers(40) });
      await eventually(() => expect(gate.held).toBe(5));
      const paused = await api.need(200, 'POST', `${path}/pause`);
      expect(paused).toMatchObject({ name: destination, pausedAt: expect.any(String), implicit, limit: 0 });
      expect(await api.need(200, 'POST', `${path}/pause`)).toMatchObject({ pausedAt: paused.pausedAt });
      gate.open();
      await eventually(async () =>
        expect((await api.execution(id)).fanOuts[0]).toMatchObject({ succeeded: 5, running: 0 }),
      );
      if (!implicit) expect(await api.limit(name, { maxConcurrency: 60 })).toMatchObject({ pausedAt: paused.pausedAt });
      await api.publish({ name: other, nodes: [{ id: 'one', type: 'SHELL', config: { command: ['true'] } }] });
      expect(await api.run(other, {}, 10_000)).toMatchObject({ state: 'SUCCEEDED' });
      expect(sink.calls).toHaveLength(5);
      const waiting = (await api.children(id))[39]!;
      expect(await api.need(200, 'GET', `/v1/executions/${waiting.id}/why`)).toMatchObject({
        reason: 'PAUSED',
        destination,
      });
      const from = performance.now();
      expect(await api.need(200, 'POST', `${path}/resume`)).toMatchObject({ pausedAt: null });
      await eventually(() => expect(sink.calls.length).toBeGreaterThan(5));
      expect(performance.now() - from).toBeLessThan(1_500);
      expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED' });
      expect(sink.calls).toHaveLength(40);
      expect((await api.call('POST', '/v1/destinations/nobody-knows-it/pause')).status).toBe(404);
    },
  );

  it('can have what waits for it or calls it cancelled, and nothing else', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    const gate = new Gate();
    const aborted = new Gate();
    sink.answer(async ({ path }) => {
      if (path === '/') await gate.pass();
      if (path === '/other') await aborted.pass();
      return {};
    });
    const name = stage.name();
    await api.limit(name, { maxConcurrency: 3 });
    const calling = (node: string, path: string, destinations: string[]) => ({
      id: node,
      type: 'HTTP',
      config: { method: 'POST', url: `${sink.url}${path}` },
      destinations,
    });
    await api.publish(
      fanOut(name, sink.url, { node: { destinations: [name] }, merge: { tolerateChildFailures: ['CANCELLED'] } }),
    );
    const lone = stage.name();
    await api.publish({
      name: lone,
      nodes: [calling('first', '/free', []), calling('second', '/', [name])],
      edges: [{ from: 'first', to: 'second' }],
    });
    const untouched = stage.name();
    await api.publish({ name: untouched, nodes: [calling('one', '/other', [])] });
    const { id } = await api.start(name, { items: numbers(2_500) });
    await eventually(() => expect(gate.held).toBe(3));
    const alone = await api.start(lone, {});
    const safe = await api.start(untouched, {});
    await eventually(() => expect(aborted.held).toBe(1));
    await eventually(async () => (await api.execution(id)).fanOuts[0]?.sealed ?? false);
    await eventually(async () => (await api.execution(alone.id)).nodes[0]!.state === 'SUCCEEDED');
    await api.need(200, 'POST', `/v1/destinations/${name}/pause`);
    await api.need(200, 'POST', `/v1/destinations/${name}/cancel`);
    expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ cancelled: 2_500 }] });
    expect(await api.settled(alone.id, 10_000)).toMatchObject({
      state: 'CANCELLED',
      error: { code: 'EXECUTION.CANCELLED' },
    });
    // the calls that were under way have been ended, and give their places back
    await eventually(async () => expect(await api.destination(name)).toMatchObject({ inUse: 0, waiting: 0 }));
    expect((await api.execution(safe.id)).state).toBe('RUNNING');
    gate.open();
    aborted.open();
    await api.need(200, 'POST', `/v1/destinations/${name}/resume`);
    expect(await api.settled(safe.id)).toMatchObject({ state: 'SUCCEEDED' });
    expect(await api.run(lone, {})).toMatchObject({ state: 'SUCCEEDED' });
    expect(sink.calls.filter(({ path }) => path === '/')).toHaveLength(4);
  });

  it('that only the item names is waited for as long as it takes, uncharged', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    const path = `/v1/destinations/${encodeURIComponent(`host:${new URL(sink.url).host}`)}`;
    await api.need(200, 'POST', `${path}/pause`);
    const name = stage.name();
    await api.publish({ name, nodes: [{ id: 'one', type: 'HTTP', config: { url: '${input.url}', method: 'GET' } }] });
    const hasEnded = async (id: string) => (await api.attempts(id)).some(({ endedAt }) => endedAt !== null);
    // Executors learn within half a second that a host is paused which only items name.
    const { id } = (await eventually(async () => {
      const called = sink.calls.length;
      const started = await api.start(name, { url: sink.url });
      await eventually(() => hasEnded(started.id), { timeoutMs: 20_000 });
      return sink.calls.length === called && started;
    })) as { id: string };
    expect((await api.attempts(id)).every(({ charged, endedAt }) => endedAt === null || !charged)).toBe(true);
    await eventually(async () =>
      expect(await api.need(200, 'GET', `/v1/executions/${id}/why`)).toMatchObject({
        reason: 'PAUSED',
        destination: `host:${new URL(sink.url).host}`,
      }),
    );
    await api.need(200, 'POST', `${path}/resume`);
    expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED' });
  });
});
