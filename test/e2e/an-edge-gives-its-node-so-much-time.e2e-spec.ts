import { modes } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { Gate } from '../support/gate.js';
import { inModes } from '../support/in-every-mode.js';

const start = { id: 'first', type: 'TRANSFORM', config: { output: 1 } };

inModes(modes, 'the time of an edge', (stage) => {
  const publish = async (node: object, timeout = '700ms'): Promise<string> => {
    const name = stage.name();
    await stage.engine.api.publish({
      name,
      nodes: [start, { id: 'late', ...node }],
      edges: [{ from: 'first', to: 'late', timeout }],
    });
    return name;
  };
  const timedOut = { state: 'FAILED', error: { class: 'TIMEOUT', code: 'EDGE.TIMED_OUT', nodeId: 'late' } };

  it('when it is over fails a node that waits', async () => {
    const { api } = stage.engine;
    const name = await publish({ type: 'SIGNAL', config: { name: 'never' } });
    expect(await api.run(name, {})).toMatchObject(timedOut);
  });

  it('ends a running call, whose late answer changes nothing', async () => {
    const { sink, engine } = stage;
    const gate = new Gate();
    sink.answer(async () => (await gate.pass(), {}));
    const name = await publish({ type: 'HTTP', config: { method: 'POST', url: sink.url } });
    const done = await engine.api.run(name, {});
    gate.open();
    expect(done).toMatchObject(timedOut);
    expect(sink.calls).toHaveLength(1);
    expect(await engine.api.attempts(done.id)).toMatchObject([{ nodeId: 'late', outcome: 'TIMED_OUT' }]);
  });

  it('fails a node between two attempts', async () => {
    const { sink, engine } = stage;
    sink.answer(() => ({ status: 500 }));
    const retry = { maxAttempts: 3, initialDelay: '1h' };
    const name = await publish({ type: 'HTTP', retry, config: { method: 'POST', url: sink.url } });
    expect(await engine.api.run(name, {})).toMatchObject(timedOut);
    expect(sink.calls).toHaveLength(1);
  });

  it('cancels the children of a node that ran out of it, and a retry brings them back', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    const gate = new Gate();
    sink.answer(async () => (await gate.pass(), {}));
    const work = { type: 'HTTP', config: { method: 'POST', url: sink.url } };
    const name = await publish({ type: 'SPAWNER', config: { items: [1, 2, 3], maxConcurrency: 1, node: work } }, '2s');
    const { id } = await api.run(name, {});
    expect(await api.execution(id)).toMatchObject(timedOut);
    await eventually(async () => expect(await api.execution(id)).toMatchObject({ fanOuts: [{ cancelled: 3 }] }));
    gate.open();
    await api.act(id, 'retry');
    expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 3 }] });
  });

  it('asks nothing of a node that settles in it', async () => {
    const { engine } = stage;
    const name = await publish({ type: 'WAIT', config: { duration: '100ms' } }, '20s');
    const done = await engine.api.run(name, {});
    expect(done.state).toBe('SUCCEEDED');
    expect(await engine.query('select id from timer where execution_id = $1', [done.id])).toEqual([]);
  });
});
