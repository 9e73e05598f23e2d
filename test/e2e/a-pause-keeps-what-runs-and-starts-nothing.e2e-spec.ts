import { eventually } from '../support/eventually.js';
import { fanOut, numbers } from '../support/fan-out.js';
import { Gate } from '../support/gate.js';
import { inEveryMode } from '../support/in-every-mode.js';

inEveryMode('a pause', (stage) => {
  it('of a whole execution starts nothing new, keeps the results of what runs, and loses nothing at resume', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    const gate = new Gate();
    sink.answer(async () => (await gate.pass(), {}));
    const name = stage.name();
    await api.publish(fanOut(name, sink.url, { spawner: { maxConcurrency: 10 } }));
    const { id } = await api.start(name, { items: numbers(100) });
    await eventually(() => expect(gate.held).toBe(10));
    expect((await api.act(id, 'pause')).state).toBe('PAUSED');
    gate.open();
    await eventually(async () =>
      expect((await api.execution(id)).fanOuts[0]).toMatchObject({ succeeded: 10, running: 0 }),
    );
    // Another execution runs from its first to its last call meanwhile; the paused one makes none.
    const other = stage.name();
    await api.publish(fanOut(other, `${sink.url}/other`));
    await api.run(other, { items: numbers(50) });
    expect(sink.calls.filter(({ path }) => path === '/')).toHaveLength(10);
    expect(await api.execution(id)).toMatchObject({ state: 'PAUSED', fanOuts: [{ succeeded: 10, verdict: 'OPEN' }] });
    await api.act(id, 'resume');
    expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 100, paused: 0 }] });
    expect([...sink.callsByKey().values()].every((count) => count === 1)).toBe(true);
    expect(sink.calls).toHaveLength(150);
  });

  it.each([
    ['an execution', (id: string) => `/v1/executions/${id}`],
    ['a fan-out', (id: string) => `/v1/executions/${id}/fan-outs/fan`],
    ['a destination', (_: string, destination: string) => `/v1/destinations/${destination}`],
  ])('of %s has what waits for a slot handed back, uncharged, and not called', async (_, pathOf) => {
    const { sink, engine } = stage;
    const { api } = engine;
    const gate = new Gate();
    sink.answer(async () => (await gate.pass(), {}));
    const name = stage.name();
    await api.limit(name, { maxConcurrency: 10_000 });
    await api.publish(fanOut(name, sink.url, { node: { destinations: [name] } }));
    const { id } = await api.start(name, { items: numbers(400) });
    const claimed = async () => {
      const [row] = await engine.query<{ count: number }>(
        `select count(*)::integer from task t join execution e on e.id = t.execution_id join fan_out f on f.id = e.fan_out_id
         where f.parent_id = $1 and t.state = 'running'`,
        [id],
      );
      return row!.count;
    };
    await eventually(async () => expect(await claimed()).toBeGreaterThan(Math.max(100, gate.held)));
    const path = pathOf(id, name);
    await api.need(200, 'POST', `${path}/pause`);
    await eventually(async () => expect(await claimed()).toBe(gate.held));
    const called = sink.calls.length;
    gate.open();
    await eventually(async () => expect((await api.execution(id)).fanOuts[0]).toMatchObject({ succeeded: called }));
    expect(sink.calls).toHaveLength(called);
    await api.need(200, 'POST', `${path}/resume`);
    expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 400 }] });
    expect(sink.calls).toHaveLength(400);
    const again = await engine.query<{ id: string }>(
      `select e.id from task t join execution e on e.id = t.execution_id join fan_out f on f.id = e.fan_out_id
       where f.parent_id = $1 and t.attempt > 1`,
      [id],
    );
    expect(again.length).toBeGreaterThan(0);
    expect((await api.attempts(again[0]!.id)).map(({ charged }) => charged)).toEqual([false, true]);
  });

  it.each([
    ['resumed', 'SUCCEEDED', 'resume'],
    ['cancelled', 'FAILED', 'cancel'],
  ])('of one child holds the merge until the child is %s', async (_, state, command) => {
    const { sink, engine } = stage;
    const { api } = engine;
    const gate = new Gate();
    sink.answer(async () => (await gate.pass(), {}));
    const name = stage.name();
    // One at a time: the last child has not started when the first is held.
    await api.publish(fanOut(name, sink.url, { spawner: { maxConcurrency: 1 } }));
    const { id } = await api.start(name, { items: numbers(5) });
    await eventually(() => expect(gate.held).toBe(1));
    const child = await eventually(async () => (await api.children(id))[4] ?? false);
    await api.act(child.id, 'pause');
    gate.open();
    await eventually(async () =>
      expect((await api.execution(id)).fanOuts[0]).toMatchObject({ succeeded: 4, paused: 1 }),
    );
    expect(await api.execution(id)).toMatchObject({ state: 'RUNNING', fanOuts: [{ verdict: 'OPEN' }] });
    expect(sink.calls).toHaveLength(4);
    await api.act(child.id, command);
    expect((await api.settled(id)).state).toBe(state);
    expect(sink.calls).toHaveLength(command === 'resume' ? 5 : 4);
  });
});
