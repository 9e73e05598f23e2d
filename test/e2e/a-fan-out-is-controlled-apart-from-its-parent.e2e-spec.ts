import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { numbers } from '../support/fan-out.js';
import { Gate } from '../support/gate.js';
import { modes } from '../support/engine.js';
import { inModes } from '../support/in-every-mode.js';

/** Two branches side by side, each with its merge. */
const twoBranches = (name: string, url: string, merge: object = {}): object => ({
  name,
  nodes: ['left', 'right'].flatMap((side) => [
    {
      id: side,
      type: 'SPAWNER',
      config: {
        items: '${input.items}',
        maxConcurrency: 5,
        node: { type: 'HTTP', config: { method: 'POST', url: `${url}/${side}`, body: '${item}' } },
      },
    },
    { id: `${side}_join`, type: 'MERGE', config: { of: side, ...(side === 'left' ? merge : {}) } },
  ]),
  edges: ['left', 'right'].map((side) => ({ from: side, to: `${side}_join` })),
});
const control = (api: ApiClient, id: string, node: string, command: string) =>
  api.call('POST', `/v1/executions/${id}/fan-outs/${node}/${command}`);
const sides = async (api: ApiClient, id: string) => {
  const { fanOuts } = await api.execution(id);
  return Object.fromEntries(fanOuts.map((fan) => [fan.nodeId, fan])) as Record<string, (typeof fanOuts)[number]>;
};

inModes(modes, 'a fan-out', (stage) => {
  it('that is paused starts nothing more, while the other branch goes on; it says so, and goes on at resume', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    const gate = new Gate();
    sink.answer(async ({ path }) => {
      if (path === '/left') await gate.pass();
      return {};
    });
    const name = stage.name();
    await api.publish(twoBranches(name, sink.url));
    const { id } = await api.start(name, { items: numbers(60) });
    await eventually(() => expect(gate.held).toBe(5));
    expect((await control(api, id, 'left', 'pause')).status).toBe(200);
    gate.open();
    await eventually(async () =>
      expect(await sides(api, id)).toMatchObject({
        left: { succeeded: 5, running: 0, verdict: 'OPEN', pausedAt: expect.any(String) },
        right: { succeeded: 60, verdict: 'PASSED', pausedAt: null },
      }),
    );
    expect(sink.calls.filter(({ path }) => path === '/left')).toHaveLength(5);
    expect((await api.execution(id)).state).toBe('RUNNING');
    const child = (await api.children(id, 'node=left&state=PENDING'))[0]!;
    const why = await api.need(200, 'GET', `/v1/executions/${child.id}/why`);
    expect(why).toMatchObject({ reason: 'PAUSED', detail: expect.stringContaining('fan-out of left') });
    // both of the parent's branches are looked at: the left one waits for a fan-out that is paused
    const above = await api.need(200, 'GET', `/v1/executions/${id}/why`);
    expect(above).toMatchObject({ reason: 'PAUSED', detail: expect.stringContaining('fan-out of left') });
    const budget = { failureTolerance: { maxFailureCount: 5 } };
    expect(await api.call('PATCH', `/v1/executions/${id}/fan-outs/left`, budget)).toMatchObject({
      status: 422,
      json: { errors: [{ path: 'failureTolerance' }] },
    });
    expect((await control(api, id, 'left', 'pause')).status).toBe(409);
    // one child of it runs through
    await api.act(child.id, 'release');
    expect(await api.settled(child.id, 10_000)).toMatchObject({ state: 'SUCCEEDED' });
    expect(await sides(api, id)).toMatchObject({ left: { succeeded: 6, verdict: 'OPEN' } });
    expect((await control(api, id, 'left', 'resume')).status).toBe(200);
    expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED' });
    expect([...sink.callsByKey().values()].every((count) => count === 1)).toBe(true);
    const told = (await api.events(id)).filter(
      ({ nodeId, type }) => nodeId === 'left' && /deferred|resumed/.test(type),
    );
    expect(told.map(({ type, data }) => [type, data.reason])).toEqual([
      ['fanout.deferred', 'PAUSED'],
      ['fanout.resumed', 'PAUSED'],
    ]);
    for (const command of ['pause', 'resume', 'cancel']) {
      expect(await control(api, id, 'left', command)).toMatchObject({
        status: 409,
        json: { code: 'EXECUTION.ILLEGAL_TRANSITION' },
      });
      expect(await control(api, id, 'nobody', command)).toMatchObject({ status: 404 });
    }
    const settled = await api.execution(id);
    const patch = await api.call('PATCH', `/v1/executions/${id}/fan-outs/left`, { maxConcurrency: 1 });
    expect(patch).toMatchObject({ status: 409, json: { code: 'EXECUTION.ILLEGAL_TRANSITION' } });
    expect(await api.execution(id)).toEqual(settled);
  });

  it.each([
    ['fails where its tolerance does not list them', {}, 'FAILED'],
    ['passes where it does', { tolerateChildFailures: ['CANCELLED'] }, 'SUCCEEDED'],
  ])('that is cancelled has what was open cancelled, and its merge %s', async (_, merge, state) => {
    const { sink, engine } = stage;
    const { api } = engine;
    const gate = new Gate();
    sink.answer(async ({ path, body }) => {
      if (path === '/left' && (JSON.parse(body) as { n: number }).n > 0) await gate.pass();
      return {};
    });
    const name = stage.name();
    await api.publish(twoBranches(name, sink.url, merge));
    const { id } = await api.start(name, { items: numbers(60) });
    await eventually(() => expect(gate.held).toBe(5));
    await control(api, id, 'left', 'pause');
    expect((await control(api, id, 'left', 'cancel')).status).toBe(200);
    const calls = sink.calls.filter(({ path }) => path === '/left').length;
    const done = await api.settled(id);
    expect(done.state).toBe(state);
    expect(await sides(api, id)).toMatchObject({
      left: { succeeded: 1, cancelled: 59, cancelledAt: expect.any(String), pausedAt: null },
      right: { succeeded: 60, verdict: 'PASSED' },
    });
    expect(sink.calls.filter(({ path }) => path === '/left')).toHaveLength(calls);
    gate.open();
    expect((await api.events(id)).filter(({ type }) => type === 'fanout.cancelled')).toHaveLength(1);
    if (state === 'SUCCEEDED') return;
    // what was cancelled can be had again
    sink.answer(() => ({}));
    expect(await api.redrive(id, { state: ['CANCELLED'], node: 'left' })).toEqual({ matched: 59, redriven: 59 });
    expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED' });
    expect(await sides(api, id)).toMatchObject({ left: { succeeded: 60, cancelled: 0, cancelledAt: null, round: 2 } });
  });
});

inModes(
  modes,
  'a fan-out whose spawner is under way',
  (stage) => {
    it('spawns nothing more once it is cancelled, and counts what it did not spawn as cancelled', async () => {
      const { sink, engine } = stage;
      const { api } = engine;
      const gate = new Gate();
      sink.answer(async () => (await gate.pass(), {}));
      const name = stage.name();
      await api.publish(twoBranches(name, sink.url, { tolerateChildFailures: ['CANCELLED'] }));
      const { id } = await api.start(name, { items: numbers(300) });
      await eventually(async () => expect((await sides(api, id)).left!.spawned).toBeGreaterThanOrEqual(50));
      expect((await control(api, id, 'left', 'cancel')).status).toBe(200);
      const { left } = await sides(api, id);
      expect(left!.spawned).toBeLessThan(300);
      const counts = { spawned: left!.spawned, cancelled: left!.spawned, sealed: false, total: 300 };
      await eventually(async () =>
        expect(await sides(api, id)).toMatchObject({ left: { ...counts, verdict: 'PASSED' } }),
      );
      const join = (await api.execution(id)).nodes.find(({ id: node }) => node === 'left_join');
      expect(join).toMatchObject({ state: 'SUCCEEDED' });
      expect((await control(api, id, 'right', 'cancel')).status).toBe(200);
      gate.open();
      expect(await api.settled(id)).toMatchObject({ state: 'FAILED' });
      expect(await sides(api, id)).toMatchObject({ left: counts, right: { sealed: false } });
    });

    it('is complete with what there was, once that is redriven under a parent that has succeeded; the parent stays as it is', async () => {
      const { sink, engine } = stage;
      const { api } = engine;
      const gate = new Gate();
      sink.answer(async ({ path }) => {
        if (path === '/left') await gate.pass();
        return {};
      });
      const name = stage.name();
      await api.publish(twoBranches(name, sink.url, { tolerateChildFailures: ['CANCELLED'] }));
      const { id } = await api.start(name, { items: numbers(300) });
      await eventually(() => expect(gate.held).toBe(5));
      expect((await control(api, id, 'left', 'cancel')).status).toBe(200);
      const { output } = await api.settled(id);
      const { spawned } = (await sides(api, id)).left!;
      expect(spawned).toBeLessThan(300);
      const taken = { matched: spawned, redriven: spawned };
      const filter = { state: ['CANCELLED'], node: 'left' };
      expect(await api.redrive(id, filter)).toEqual(taken);
      await eventually(async () => expect((await sides(api, id)).left).toMatchObject({ running: 5, cancelled: 0 }));
      const waiting = (await api.children(id, 'node=left&state=PENDING'))[0]!;
      const why = await api.need(200, 'GET', `/v1/executions/${waiting.id}/why`);
      expect(why).toMatchObject({ reason: 'FAN_OUT_LIMIT' });
      // what runs again is cancelled again, and taken back again
      await api.act(id, 'cancel');
      await eventually(async () => expect((await sides(api, id)).left).toMatchObject({ cancelled: spawned }));
      expect(await api.redrive(id, { ...filter, dryRun: true })).toEqual({ ...taken, redriven: 0 });
      expect(await api.redrive(id, filter)).toEqual(taken);
      gate.open();
      const counts = { succeeded: spawned, cancelled: 0, spawned, sealed: true, verdict: 'PASSED' };
      await eventually(async () => expect((await sides(api, id)).left).toMatchObject(counts));
      expect(await api.execution(id)).toMatchObject({ state: 'SUCCEEDED', output });
    });

    it('runs what a redrive names and no more, and goes on at its cursor where all that was cancelled is redriven', async () => {
      const { sink, engine } = stage;
      const { api } = engine;
      const gate = new Gate();
      const itemOf = (body: string) => (JSON.parse(body) as { n: number }).n;
      sink.answer(async ({ path, body }) => {
        if (path === '/left' && itemOf(body) !== 60) await gate.pass();
        return {};
      });
      const name = stage.name();
      await api.publish(twoBranches(name, sink.url));
      const { id } = await api.start(name, { items: numbers(300) });
      await eventually(async () => expect((await sides(api, id)).left!.spawned).toBeGreaterThan(60));
      await eventually(() => expect(gate.held).toBe(5));
      expect((await control(api, id, 'left', 'cancel')).status).toBe(200);
      expect(await api.settled(id)).toMatchObject({ state: 'FAILED' });
      const { spawned } = (await sides(api, id)).left!;
      const from = sink.calls.length;
      const filter = { state: ['CANCELLED'], node: 'left' };
      expect(await api.redrive(id, { ...filter, itemIndexes: [60] })).toEqual({ matched: 1, redriven: 1 });
      await eventually(async () =>
        expect((await sides(api, id)).left).toMatchObject({
          round: 2,
          verdict: 'FAILED',
          succeeded: 1,
          cancelled: spawned - 1,
          sealed: false,
          cancelledAt: expect.any(String),
        }),
      );
      expect(await api.settled(id)).toMatchObject({ state: 'FAILED' });
      expect(sink.calls.slice(from).map(({ body }) => itemOf(body))).toEqual([60]);
      gate.open();
      expect(await api.redrive(id, filter)).toMatchObject({ matched: spawned - 1 });
      expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED' });
      expect(await sides(api, id)).toMatchObject({
        left: { succeeded: 300, cancelled: 0, cancelledAt: null, round: 3 },
      });
    });

    it('goes on at its cursor also where it was cancelled before its first child', async () => {
      const { sink, engine } = stage;
      const { api } = engine;
      const gate = new Gate();
      sink.answer(async ({ path, body }) => {
        if (path !== '/look') return {};
        await gate.pass();
        return { body: JSON.stringify((JSON.parse(body) as unknown[]).map(() => 1)) };
      });
      const http = (path: string, body: string) => ({
        type: 'HTTP',
        config: { method: 'POST', url: `${sink.url}/${path}`, body },
      });
      const name = stage.name();
      await api.publish({
        name,
        nodes: [
          {
            id: 'fan',
            type: 'SPAWNER',
            config: {
              items: '${input.items}',
              freeze: { batch: 10, node: http('look', '${items}') },
              node: http('item', '${item}'),
            },
          },
        ],
        edges: [],
      });
      const { id } = await api.start(name, { items: numbers(20) });
      await eventually(() => expect(gate.held).toBeGreaterThan(0));
      expect((await control(api, id, 'fan', 'cancel')).status).toBe(200);
      expect(await api.settled(id)).toMatchObject({ state: 'FAILED', fanOuts: [{ spawned: 0 }] });
      gate.open();
      expect(await api.redrive(id, { state: ['CANCELLED'] })).toEqual({ matched: 0, redriven: 0 });
      expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 20, round: 2 }] });
    });
  },
  () => Promise.resolve({ env: { SPAWN_LEAD: '100' } }),
);
