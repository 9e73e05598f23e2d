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
