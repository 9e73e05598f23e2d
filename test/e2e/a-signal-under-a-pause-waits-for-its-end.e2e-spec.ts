import { eventually } from '../support/eventually.js';
import { inEveryMode } from '../support/in-every-mode.js';

inEveryMode('a signal under a pause', (stage) => {
  it('is kept, and taken once the pause is over, at any height of the pause', async () => {
    const { api } = stage.engine;
    const child = stage.name();
    await api.publish({ name: child, nodes: [{ id: 's', type: 'SIGNAL', config: { name: 'go' } }], edges: [] });
    const name = stage.name();
    await api.publish({
      name,
      nodes: [{ id: 'fan', type: 'SPAWNER', config: { items: [1, 2], pipeline: child } }],
      edges: [],
    });
    const { id } = await api.start(name, {});
    await eventually(async () => expect((await api.execution(id)).fanOuts[0]).toMatchObject({ running: 2 }));
    await api.act(id, 'pause');
    const children = await api.children(id);
    for (const { id: at } of children) await api.need(202, 'POST', `/v1/executions/${at}/signals/go`, { at });
    await eventually(async () => expect(await stage.engine.query('select 1 from recorded_batch')).toEqual([]));
    for (const { id: at } of children) expect((await api.execution(at)).nodes[0]!.state).toBe('WAITING');
    await api.act(id, 'resume');
    expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 2 }] });
    for (const { id: at } of children) expect((await api.execution(at)).output).toEqual({ at });
  });
});
