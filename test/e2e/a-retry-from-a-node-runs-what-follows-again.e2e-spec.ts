import { inEveryMode } from '../support/in-every-mode.js';

inEveryMode('a retry from a node', (stage) => {
  const call = (id: string, more: object = {}) => ({
    id,
    type: 'HTTP',
    config: { method: 'POST', url: `${stage.sink.url}/${id}` },
    retry: { maxAttempts: 1 },
    ...more,
  });
  const edges = (text: string) =>
    text.split(' ').map((edge) => {
      const [from, to] = edge.split('>');
      return { from, to };
    });
  const calls = (): string => stage.sink.calls.map(({ path }) => path.slice(1)).join(' ');
  const states = (view: { nodes: { id: string; state: string }[] }) =>
    Object.fromEntries(view.nodes.map((node) => [node.id, node.state]));

  /** Fails the nodes named; whatever else is called succeeds. */
  const breaking = (...broken: string[]) =>
    stage.sink.answer(({ path }) => (broken.includes(path.slice(1)) ? { status: 400 } : {}));

  it('runs it and what follows again, succeeded ones too, and leaves what failed elsewhere', async () => {
    const { api } = stage.engine;
    const name = stage.name();
    // `both` and `any` follow b, and c or what is behind it; `x` and `y` only c; `z` follows b and what c made unreachable; `beside` only a
    await api.publish({
      name,
      nodes: [
        ...['a', 'beside', 'b', 'c', 'x', 'y', 'after', 'both'].map((id) => call(id)),
        call('any', { join: 'ANY_SUCCEEDED' }),
        call('z', { join: 'ALL_DONE' }),
      ],
      edges: edges('a>beside a>b a>c c>x x>y b>after b>both c>both b>any x>any after>z y>z'),
    });
    breaking('c');
    const { id } = await api.start(name, {});
    expect(await api.settled(id)).toMatchObject({ state: 'FAILED', error: { nodeId: 'c' } });
    const before = new Set(['a', 'beside', 'b', 'c', 'after', 'any', 'z']);
    expect(new Set(calls().split(' '))).toEqual(before);

    stage.sink.reset();
    breaking('c');
    await api.act(id, 'retry', { from: 'b' });
    const again = await api.settled(id);
    expect(again).toMatchObject({ state: 'FAILED', error: { nodeId: 'c' } });
    expect(calls().split(' ').sort()).toEqual(['after', 'any', 'b', 'z']);
    expect(calls().startsWith('b')).toBe(true);
    expect(calls().indexOf('after')).toBeLessThan(calls().indexOf('z'));
    expect(states(again)).toMatchObject({ a: 'SUCCEEDED', c: 'FAILED', z: 'SUCCEEDED', any: 'SUCCEEDED' });

    stage.sink.reset();
    stage.sink.answer(() => ({}));
    await api.act(id, 'retry', { from: 'c' });
    expect((await api.settled(id)).state).toBe('SUCCEEDED');
    expect(calls().split(' ').sort()).toEqual(['any', 'both', 'c', 'x', 'y', 'z']);
    expect(await stage.engine.fsck()).toEqual([]);
  });

  it('goes through what an orchestrator runs, and gives a spawner behind it a new generation', async () => {
    const { api } = stage.engine;
    const name = stage.name();
    await api.publish({
      name,
      nodes: [
        { id: 'list', type: 'TRANSFORM', config: { output: '${input.items}' } },
        { id: 'fan', type: 'SPAWNER', config: { items: '${nodes.list.output}', node: call('child') } },
        { id: 'join', type: 'MERGE', config: {} },
        { id: 'skipped', type: 'TRANSFORM', config: { output: '1' } },
        call('last', { join: 'ALL_DONE' }),
      ].map((node) => (node.id === 'fan' ? { ...node, config: { ...node.config, node: inline() } } : node)),
      edges: [
        ...edges('list>fan fan>join join>last skipped>last'),
        { from: 'list', to: 'skipped', condition: 'false' },
      ],
    });
    breaking('last');
    const { id } = await api.start(name, { items: [1, 2, 3] });
    expect((await api.settled(id)).state).toBe('FAILED');
    stage.sink.answer(() => ({}));
    await api.act(id, 'retry', { from: 'list' });
    const done = await api.settled(id);
    expect(done.state).toBe('SUCCEEDED');
    expect(done.fanOuts.find((f: { generation: number }) => f.generation === 2)).toMatchObject({ succeeded: 3 });
    expect(stage.sink.calls.filter(({ path }) => path === '/child')).toHaveLength(6);
    expect(states(done)).toMatchObject({ skipped: 'SKIPPED' });
    expect(await stage.engine.fsck()).toEqual([]);

    function inline(): object {
      const { type, config, retry } = call('child');
      return { type, config, retry };
    }
  });

  it('that is not there, or has not run, is refused and changes nothing', async () => {
    const { api } = stage.engine;
    const name = stage.name();
    await api.publish({ name, nodes: [call('a'), call('b')], edges: edges('a>b') });
    breaking('a');
    const { id } = await api.start(name, {});
    expect((await api.settled(id)).state).toBe('FAILED');
    const events = (await api.events(id)).length;
    const unknown = await api.call('POST', `/v1/executions/${id}/retry`, { from: 'nowhere' });
    expect(unknown).toMatchObject({ status: 422, json: { code: 'NODE.NOT_FOUND', errors: [{ path: 'from' }] } });
    const unreached = await api.call('POST', `/v1/executions/${id}/retry`, { from: 'b' });
    expect(unreached).toMatchObject({ status: 409, json: { code: 'NODE.NOT_RUN', state: 'FAILED' } });
    expect((await api.events(id)).length).toBe(events);
  });
});
