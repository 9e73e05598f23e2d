import { fanOut, numbers } from '../support/fan-out.js';
import { inEveryMode } from '../support/in-every-mode.js';

inEveryMode('a quota of children', (stage) => {
  it('is judged over the whole list before its first child, and again when it was raised', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    const name = stage.name();
    await api.publish(fanOut(name, sink.url));
    await api.need([200, 201], 'PUT', `/v1/quotas/${name}`, { maxChildrenPerFanOut: 100 });
    expect(await api.run(name, { items: numbers(100) })).toMatchObject({ state: 'SUCCEEDED' });
    const refused = await api.run(name, { items: numbers(101) });
    expect(refused).toMatchObject({
      state: 'FAILED',
      error: { class: 'QUOTA_EXCEEDED', code: 'QUOTA.EXCEEDED', nodeId: 'fan' },
      fanOuts: [{ total: 101, spawned: 0 }],
    });
    expect(sink.calls).toHaveLength(100);
    await api.need([200, 201], 'PUT', `/v1/quotas/${name}`, { maxChildrenPerFanOut: 101 });
    await api.act(refused.id, 'retry');
    expect(await api.settled(refused.id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 101 }] });
  });
});
