import { eventually } from '../support/eventually.js';
import { fanOut, numbers, quickRetry } from '../support/fan-out.js';
import { Gate } from '../support/gate.js';
import { modes } from '../support/engine.js';
import { inModes } from '../support/in-every-mode.js';

inModes(modes, 'one child that is released from a pause', (stage) => {
  it('runs through, from whatever it waited for, while its siblings stay where they are', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    const gate = new Gate();
    let isFixed = false;
    sink.answer(async ({ body }) => {
      const { n } = JSON.parse(body) as { n: number };
      if (n === 2 && !isFixed) return { status: 503 };
      if (n < 2) await gate.pass();
      return {};
    });
    const name = stage.name();
    await api.publish(
      fanOut(name, sink.url, {
        spawner: { maxConcurrency: 3 },
        node: { retry: { ...quickRetry(50), initialDelay: '500ms' } },
      }),
    );
    const { id } = await api.start(name, { items: numbers(40) });
    await eventually(() => expect(gate.held).toBe(2));
    const children = await eventually(async () => {
      const all = await api.children(id);
      expect(all).toHaveLength(40);
      return all;
    });
    const [first, , retried, waiting, paused] = children;
    await api.act(paused!.id, 'pause');
    expect(await api.call('POST', `/v1/executions/${waiting!.id}/release`)).toMatchObject({ status: 409 });
    await api.act(id, 'pause');
    gate.open();
    await eventually(async () => expect((await api.execution(id)).fanOuts[0]).toMatchObject({ succeeded: 2 }));
    isFixed = true;
    // one that admission has not reached, one that an operator had paused, and one between two attempts
    for (const child of [waiting!, paused!, retried!]) {
      const headers = { 'idempotency-key': child.id };
      const path = `/v1/executions/${child.id}/release`;
      const released = await api.need(200, 'POST', path, undefined, headers);
      expect(await api.need(200, 'POST', path, undefined, headers)).toEqual(released);
      expect(await api.settled(child.id, 10_000)).toMatchObject({ state: 'SUCCEEDED' });
    }
    expect(await api.execution(id)).toMatchObject({ state: 'PAUSED', fanOuts: [{ succeeded: 5, verdict: 'OPEN' }] });
    expect((await api.events(waiting!.id)).map(({ type, data }) => [type, data?.released])).toContainEqual([
      'execution.resumed',
      true,
    ]);
    for (const sibling of [children[5]!, children[39]!])
      expect(await api.need(200, 'GET', `/v1/executions/${sibling.id}/why`)).toMatchObject({ reason: 'PAUSED' });
    for (const ended of [first!.id, id])
      expect(await api.call('POST', `/v1/executions/${ended}/release`)).toMatchObject({
        status: ended === id ? 200 : 409,
      });
    expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 40 }] });
    expect(sink.calls.filter(({ body }) => JSON.parse(body).n !== 2)).toHaveLength(39);
    expect(
      (await api.need(200, 'GET', '/v1/audit?limit=100')).items.map((a: { action: string }) => a.action).join(),
    ).toMatch(/release/);
  });

  it('is held again by a new pause above it, and takes all below it along', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    const inner = stage.name();
    const name = stage.name();
    await api.publish(fanOut(inner, sink.url, { spawner: { items: '${input.list}', maxConcurrency: 1 } }));
    await api.publish({
      name,
      nodes: [
        { id: 'fan', type: 'SPAWNER', config: { items: '${input.items}', pipeline: inner, maxConcurrency: 1 } },
        { id: 'join', type: 'MERGE', config: {} },
      ],
      edges: [{ from: 'fan', to: 'join' }],
    });
    const gates = [1, 5].map(() => new Gate());
    sink.answer(async ({ body }) => (await gates[['1', '5'].indexOf(body)]?.pass(), {}));
    const { id } = await api.start(name, { items: [{ list: [1] }, { list: [2, 3, 4] }, { list: [5, 6] }] });
    await eventually(() => expect(gates[0]!.held).toBe(1));
    await api.act(id, 'pause');
    gates[0]!.open();
    const [, middle, last] = await eventually(async () => {
      const all = await api.children(id);
      expect(all).toHaveLength(3);
      return all;
    });
    await api.act(last!.id, 'release');
    await eventually(() => expect(gates[1]!.held).toBe(1));
    await api.need(200, 'POST', `/v1/executions/${id}/fan-outs/fan/pause`);
    gates[1]!.open();
    await api.act(middle!.id, 'release');
    expect(await api.settled(middle!.id, 10_000)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 3 }] });
    expect(await api.execution(last!.id)).toMatchObject({ state: 'RUNNING', fanOuts: [{ succeeded: 1, pending: 1 }] });
    expect(sink.calls.map(({ body }) => body).sort()).toEqual(['1', '2', '3', '4', '5']);
    expect((await api.execution(id)).state).toBe('PAUSED');
    await api.need(200, 'POST', `/v1/executions/${id}/fan-outs/fan/resume`);
    await api.act(id, 'resume');
    expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED' });
    expect([...sink.callsByKey().values()].every((count) => count === 1)).toBe(true);
  });
});
