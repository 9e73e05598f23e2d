import { eventually } from '../support/eventually.js';
import { inEveryMode } from '../support/in-every-mode.js';

const signalNode = (id: string, config: object): object => ({ id, type: 'SIGNAL', config });

inEveryMode('a signal', (stage) => {
  const send = (id: string, name: string, body: string, status = 202) =>
    stage.engine.api.need(status, 'POST', `/v1/executions/${id}/signals/${name}`, body);

  const nodes = (view: object): Record<string, string> =>
    Object.fromEntries((view as { nodes: { id: string; state: string }[] }).nodes.map((n) => [n.id, n.state]));

  it('ends the wait for it, and its exact text is the output', async () => {
    const { api } = stage.engine;
    const name = stage.name();
    await api.publish({ name, nodes: [signalNode('go', { name: 'approved' })] });
    const { id } = await api.start(name, {});
    await eventually(async () => expect(nodes(await api.execution(id))).toEqual({ go: 'WAITING' }));
    expect(await api.need(200, 'GET', `/v1/executions/${id}/why`)).toMatchObject({
      reason: 'WAITING_FOR',
      detail: 'the signal approved',
    });
    expect(await send(id, 'else', '1', 404)).toMatchObject({
      code: 'SIGNAL.UNKNOWN',
      detail: expect.stringContaining('approved'),
    });
    await send(id, 'approved', '{"n": 9007199254740993, "x": 1.50}');
    await api.settled(id);
    const { text } = await api.call('GET', `/v1/executions/${id}`);
    expect(text).toContain('"output":{"n":9007199254740993,"x":1.50}');
    expect((await api.events(id)).filter((e) => e.type === 'signal.received').map((e) => e.data)).toEqual([
      { name: 'approved' },
    ]);
    expect(await api.attempts(id)).toEqual([]);
  });

  it('that comes before anybody waits is kept, and each is taken once, in order', async () => {
    const { api } = stage.engine;
    const name = stage.name();
    await api.publish({
      name,
      nodes: [
        signalNode('gate', { name: 'gate' }),
        signalNode('first', { name: 'step' }),
        signalNode('second', { name: 'step' }),
        signalNode('third', { name: 'step' }),
        {
          id: 'all',
          type: 'TRANSFORM',
          config: { output: ['${nodes.first.output}', '${nodes.second.output}', '${nodes.third.output}'] },
        },
      ],
      edges: [
        { from: 'gate', to: 'first' },
        { from: 'first', to: 'second' },
        { from: 'second', to: 'third' },
        { from: 'third', to: 'all' },
      ],
    });
    const { id } = await api.start(name, {});
    await send(id, 'step', '"one"');
    await send(id, 'step', '"two"');
    await send(id, 'gate', 'null');
    await eventually(async () =>
      expect(nodes(await api.execution(id))).toMatchObject({ second: 'SUCCEEDED', third: 'WAITING' }),
    );
    await send(id, 'step', '"three"');
    expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', output: ['one', 'two', 'three'] });
    expect(await stage.engine.query('select id from signal where execution_id = $1', [id])).toEqual([]);
  });

  it('sent many times at once reaches as many nodes as there are signals', async () => {
    const { api } = stage.engine;
    const name = stage.name();
    const ids = Array.from({ length: 20 }, (_, i) => `n${i}`);
    await api.publish({ name, nodes: ids.map((id) => signalNode(id, { name: 'tick' })) });
    const { id } = await api.start(name, {});
    await Promise.all(ids.slice(1).map((_, i) => send(id, 'tick', String(i))));
    await eventually(async () =>
      expect(Object.values(nodes(await api.execution(id))).filter((state) => state === 'SUCCEEDED')).toHaveLength(19),
    );
    expect(Object.values(nodes(await api.execution(id))).filter((state) => state === 'WAITING')).toHaveLength(1);
    await send(id, 'tick', '19');
    const { state, output } = await api.settled(id);
    expect(state).toBe('SUCCEEDED');
    expect(Object.values<number>(output).sort((a, b) => a - b)).toEqual(ids.map((_, i) => i));
  });

  it('that does not come in time is a time-out, and a retry waits anew', async () => {
    const { api } = stage.engine;
    const name = stage.name();
    await api.publish({ name, nodes: [signalNode('go', { name: 'go', timeout: '300ms' })] });
    const failed = await api.run(name, {});
    expect(failed).toMatchObject({
      state: 'FAILED',
      error: { class: 'TIMEOUT', code: 'SIGNAL.TIMED_OUT', nodeId: 'go' },
    });
    await send(failed.id, 'go', '1', 409);
    await api.act(failed.id, 'retry');
    await send(failed.id, 'go', '2');
    expect(await api.settled(failed.id)).toMatchObject({ state: 'SUCCEEDED', output: 2 });
  });

  it('during a pause takes effect at resume', async () => {
    const { api } = stage.engine;
    const name = stage.name();
    await api.publish({ name, nodes: [signalNode('go', { name: 'go' })] });
    const { id } = await api.start(name, {});
    await eventually(async () => expect(nodes(await api.execution(id))).toEqual({ go: 'WAITING' }));
    await api.act(id, 'pause');
    await send(id, 'go', '3');
    expect(nodes(await api.execution(id))).toEqual({ go: 'WAITING' });
    await api.act(id, 'resume');
    expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', output: 3 });
  });

  it('to nobody, or to what has settled, is refused', async () => {
    const { api } = stage.engine;
    const name = stage.name();
    await api.publish({ name, nodes: [signalNode('go', { name: 'go' })] });
    const { id } = await api.start(name, {});
    await api.act(id, 'cancel');
    expect(await send(id, 'go', '1', 409)).toMatchObject({ code: 'EXECUTION.ILLEGAL_TRANSITION', state: 'CANCELLED' });
    await send('018bcfe5-6800-7000-8000-000000000000', 'go', '1', 404);
    expect(await send(id, 'go', '{', 400)).toMatchObject({ status: 400 });
  });
});
