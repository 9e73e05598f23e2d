import { eventually } from '../support/eventually.js';
import { Gate } from '../support/gate.js';
import { inModes } from '../support/in-every-mode.js';

inModes(['standalone', 'services over RabbitMQ', 'services without a broker'], 'a definition', (stage) => {
  const call = (id: string, path: string) => ({
    id,
    type: 'HTTP',
    config: { method: 'POST', url: `${stage.sink.url}/${path}`, body: '${input}' },
    retry: { maxAttempts: 1 },
  });

  it('that is edited, or to be deleted, leaves what runs on it; new executions and redrives say their version', async () => {
    const { api } = stage.engine;
    const gate = new Gate();
    let broken = true;
    stage.sink.answer(async ({ path, body }) => {
      if (path === '/old') await gate.pass();
      return broken && body === '3' && path === '/old' ? { status: 400 } : {};
    });
    const child = stage.name();
    const name = stage.name();
    await api.publish({ name: child, nodes: [call('only', 'old')] });
    await api.publish({
      name,
      nodes: [
        { id: 'fan', type: 'SPAWNER', config: { items: '${input.items}', pipeline: child } },
        { id: 'merged', type: 'MERGE', config: {} },
        call('report', 'old-report'),
      ],
      edges: [
        { from: 'fan', to: 'merged' },
        { from: 'merged', to: 'report' },
      ],
    });
    const { id } = await api.start(name, { items: [1, 2, 3, 4] });
    await eventually(() => expect(gate.held).toBe(4));

    // a node fewer, a renamed merge, another tolerance and destination, and one more before
    expect(
      (
        await api.publish({
          name: child,
          nodes: [call('before', 'new'), call('only', 'new')],
          edges: [{ from: 'before', to: 'only' }],
        })
      ).version,
    ).toBe(2);
    expect(
      (
        await api.publish({
          name,
          nodes: [
            { id: 'first', type: 'TRANSFORM', config: { output: '${input.items}' } },
            { id: 'fan', type: 'SPAWNER', config: { items: '${nodes.first.output}', pipeline: child } },
            { id: 'verdict', type: 'MERGE', config: { tolerateChildFailures: ['FAILED'] } },
          ],
          edges: [
            { from: 'first', to: 'fan' },
            { from: 'fan', to: 'verdict' },
          ],
        })
      ).version,
    ).toBe(2);
    for (const pipeline of [name, child])
      expect((await api.call('DELETE', `/v1/pipelines/${pipeline}`)).status).toBe(409);
    const fresh = await api.run(name, { items: [1, 2] });
    expect(fresh).toMatchObject({
      state: 'SUCCEEDED',
      pipeline: { version: 2 },
      fanOuts: [{ childPipeline: `${child}@2` }],
    });

    gate.open();
    const old = await api.settled(id);
    expect(old).toMatchObject({
      state: 'FAILED',
      pipeline: { name, version: 1 },
      fanOuts: [{ childPipeline: `${child}@1`, succeeded: 3, failed: 1 }],
    });
    expect(old.nodes.map((node: { id: string }) => node.id)).toEqual(['fan', 'merged', 'report']);

    broken = false;
    stage.sink.reset();
    stage.sink.answer(() => ({}));
    expect(await api.redrive(id, { state: ['FAILED'] })).toEqual({ matched: 1, redriven: 1 });
    await eventually(async () => expect((await api.execution(id)).state).toBe('SUCCEEDED'));
    expect(stage.sink.calls.map(({ path }) => path)).toEqual(['/old', '/old-report']);
    for (const one of await api.children(id)) expect(one).toMatchObject({ pipeline: { name: child, version: 1 } });
  });
});
