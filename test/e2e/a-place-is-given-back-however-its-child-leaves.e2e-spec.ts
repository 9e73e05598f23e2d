import { eventually } from '../support/eventually.js';
import { fanOut, numbers } from '../support/fan-out.js';
import { Gate } from '../support/gate.js';
import { inEveryMode } from '../support/in-every-mode.js';

inEveryMode('a place of a fan-out', (stage) => {
  let gate: Gate;
  let last: Gate;
  let broken: Set<number>;
  const answer = async ({ body }: { body: string }) => {
    const { n } = JSON.parse(body) as { n: number };
    if (n === 0) await gate.pass();
    if (n === 4) await last.pass();
    return broken.has(n) ? { status: 400 } : {};
  };
  const start = async (maxConcurrency: number, merge: object) => {
    const { api } = stage.engine;
    stage.sink.answer(answer);
    const name = stage.name();
    await api.publish(fanOut(name, stage.sink.url, { spawner: { maxConcurrency }, merge }));
    const { id } = await api.start(name, { items: numbers(6) });
    await eventually(() => expect(gate.held).toBe(1));
    return id;
  };
  const paused = async (id: string) => {
    const child = (await stage.engine.api.children(id))[0]!;
    await stage.engine.api.act(child.id, 'pause');
    return child.id;
  };
  beforeEach(() => {
    gate = new Gate();
    last = new Gate();
    last.open();
    broken = new Set();
  });
  afterEach(() => {
    gate.open();
    last.open();
  });

  it('stays with a running child that is paused, and is free when it is cancelled', async () => {
    const { api } = stage.engine;
    const id = await start(1, { tolerateChildFailures: ['CANCELLED'] });
    await api.act(await paused(id), 'cancel');
    expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 5, cancelled: 1 }] });
    expect(stage.sink.mostInFlight).toBeLessThanOrEqual(2);
    expect(await stage.engine.fsck()).toEqual([]);
  });

  it('is free when the budget cancels a paused child with the rest, and all run again within the limit', async () => {
    const { api } = stage.engine;
    // what breaks the budget ends only when the child is paused
    last = new Gate();
    broken.add(4);
    const id = await start(2, { failFast: true });
    const child = await paused(id);
    last.open();
    const failed = await api.settled(id);
    expect(failed).toMatchObject({ state: 'FAILED', error: { class: 'TOLERANCE_EXCEEDED' } });
    await eventually(async () => expect((await api.execution(child)).state).toBe('CANCELLED'));
    await eventually(async () => expect(await stage.engine.fsck()).toEqual([]));
    gate.open();
    broken.clear();
    await api.act(id, 'retry');
    expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 6, round: 2 }] });
    expect(await stage.engine.fsck()).toEqual([]);
  });

  it('is waited for by children that begin anew, below a verdict that stays', async () => {
    const { api } = stage.engine;
    const { sink } = stage;
    const children = `${stage.name()}-child`;
    await api.publish(shapedCall(children, sink.url));
    const name = stage.name();
    const spawner = { items: '${input.items}', pipeline: children, maxConcurrency: 2 };
    await api.publish({
      name,
      nodes: [
        { id: 'fan', type: 'SPAWNER', config: spawner },
        { id: 'join', type: 'MERGE', config: { tolerateChildFailures: ['CANCELLED'] } },
      ],
      edges: [{ from: 'fan', to: 'join' }],
    });
    let held = new Gate();
    sink.answer(async () => (await held.pass(), {}));
    const { id } = await api.start(name, { items: numbers(12) });
    await eventually(() => expect(held.held).toBe(2));
    await eventually(async () => (await api.execution(id)).fanOuts[0]?.sealed ?? false);
    await api.need(200, 'POST', `/v1/executions/${id}/fan-outs/fan/cancel`);
    expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ cancelled: 12 }] });
    held.open();
    await eventually(() => expect(sink.inFlight).toBe(0));
    held = new Gate();
    sink.reset();
    expect(await api.redrive(id, { state: ['CANCELLED'] })).toEqual({ matched: 12, redriven: 12 });
    await eventually(() => expect(held.held).toBe(2));
    // all of them have been taken, and are open
    await eventually(async () =>
      expect((await api.execution(id)).fanOuts[0]).toMatchObject({ cancelled: 0, pending: 10, ready: 0, running: 2 }),
    );
    const waiting = (await api.children(id)).find(({ state }) => state === 'PENDING')!;
    expect(await api.need(200, 'GET', `/v1/executions/${waiting.id}/why`)).toMatchObject({ reason: 'FAN_OUT_LIMIT' });
    held.open();
    await eventually(async () =>
      expect((await api.execution(id)).fanOuts[0]).toMatchObject({ succeeded: 12, verdict: 'PASSED' }),
    );
    expect(sink.calls).toHaveLength(12);
    expect(sink.mostInFlight).toBe(2);
    expect(await stage.engine.fsck()).toEqual([]);
  });

  it('is taken by a child that begins anew without having been admitted', async () => {
    const { api } = stage.engine;
    const { sink } = stage;
    broken.add(2);
    sink.answer(answer);
    gate.open();
    const children = `${stage.name()}-child`;
    await api.publish(shapedCall(children, sink.url));
    const name = stage.name();
    await api.publish({
      name,
      nodes: [
        {
          id: 'fan',
          type: 'SPAWNER',
          config: { items: '${input.items}', pipeline: children, maxConcurrency: 1 },
        },
        { id: 'join', type: 'MERGE', config: { failFast: true } },
      ],
      edges: [{ from: 'fan', to: 'join' }],
    });
    const { id } = await api.start(name, { items: numbers(6) });
    expect((await api.settled(id)).state).toBe('FAILED');
    await eventually(async () => expect((await api.execution(id)).openDescendants).toBe(0));
    broken.clear();
    await api.act(id, 'retry');
    expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 6 }] });
    expect(await stage.engine.fsck()).toEqual([]);
  });
});

/** A child that intake lays out: the orchestrator runs its first node. */
function shapedCall(name: string, url: string): object {
  return {
    name,
    nodes: [
      { id: 'shape', type: 'TRANSFORM', config: { output: '${item}' } },
      { id: 'call', type: 'HTTP', config: { method: 'POST', url, body: '${nodes.shape.output}' } },
    ],
    edges: [{ from: 'shape', to: 'call' }],
  };
}
