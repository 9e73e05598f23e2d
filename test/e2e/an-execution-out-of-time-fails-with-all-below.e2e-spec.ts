import { modes } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { fanOut, numbers } from '../support/fan-out.js';
import { Gate } from '../support/gate.js';
import { inModes } from '../support/in-every-mode.js';

inModes(modes, 'the time of an execution', (stage) => {
  it('when it is over ends it and all below it, nothing starts any more, and a retry has its whole time again', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    const gate = new Gate();
    sink.answer(async () => (await gate.pass(), {}));
    const name = stage.name();
    await api.publish(fanOut(name, sink.url, { spawner: { maxConcurrency: 4 }, pipeline: { timeout: '3s' } }));
    const { id } = await api.start(name, { items: numbers(12) });
    await eventually(() => expect(gate.held).toBe(4));
    expect(await api.settled(id)).toMatchObject({
      state: 'FAILED',
      error: { class: 'TIMEOUT', code: 'EXECUTION.TIMED_OUT' },
    });
    await eventually(async () => expect(await api.execution(id)).toMatchObject({ fanOuts: [{ cancelled: 12 }] }));
    expect(sink.calls).toHaveLength(4);
    gate.open();
    await eventually(async () =>
      expect(await engine.query('select from control where root_id = $1', [id])).toHaveLength(0),
    );
    await api.act(id, 'retry');
    expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 12, cancelled: 0 }] });
    expect(await engine.query('select id from timer where root_id = $1', [id])).toEqual([]);
  });

  it('of a child is the child’s own: it fails alone, and a redrive has its whole time again', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    const gate = new Gate();
    sink.answer(async ({ body }) => (body === '1' ? (await gate.pass(), {}) : {}));
    const child = stage.name();
    const name = stage.name();
    await api.publish({
      name: child,
      timeout: '1s',
      nodes: [{ id: 'call', type: 'HTTP', config: { method: 'POST', url: sink.url, body: '${item}' } }],
    });
    await api.publish({
      name,
      nodes: [
        { id: 'fan', type: 'SPAWNER', config: { items: '${input.items}', pipeline: child } },
        { id: 'join', type: 'MERGE', config: { tolerateChildFailures: ['FAILED'] } },
      ],
      edges: [{ from: 'fan', to: 'join' }],
    });
    const done = await api.run(name, { items: [0, 1, 2] });
    expect(done).toMatchObject({ state: 'SUCCEEDED', output: { succeeded: 2, failed: 1 } });
    const [failed] = await api.children(done.id, 'state=FAILED');
    expect(failed).toMatchObject({ itemIndex: 1, error: { class: 'TIMEOUT', code: 'EXECUTION.TIMED_OUT' } });
    gate.open();
    expect(await api.redrive(done.id, { class: 'TIMEOUT' })).toEqual({ matched: 1, redriven: 1 });
    await eventually(async () => expect(await api.execution(done.id)).toMatchObject({ fanOuts: [{ succeeded: 3 }] }));
  });

  it('that is over during a pause ends it at resume', async () => {
    const { api } = stage.engine;
    const name = stage.name();
    await api.publish({ name, timeout: '700ms', nodes: [{ id: 'go', type: 'SIGNAL', config: { name: 'go' } }] });
    const { id } = await api.start(name, {});
    await api.act(id, 'pause');
    await eventually(async () =>
      expect(await stage.engine.query('select id from timer where execution_id = $1 and held', [id])).toHaveLength(1),
    );
    expect((await api.execution(id)).state).toBe('PAUSED');
    await api.act(id, 'resume');
    expect(await api.settled(id)).toMatchObject({ state: 'FAILED', error: { class: 'TIMEOUT' } });
  });
});
