import { inEveryMode } from '../support/in-every-mode.js';

inEveryMode('a branch that is not taken', (stage) => {
  const call = (id: string, more: object = {}) => ({
    id,
    type: 'HTTP',
    config: { method: 'POST', url: `${stage.sink.url}/${id}` },
    retry: { maxAttempts: 1 },
    ...more,
  });
  const edge = (from: string, to: string, condition?: string) => ({ from, to, ...(condition ? { condition } : {}) });
  const calls = () => stage.sink.calls.map(({ path }) => path.slice(1)).sort();
  const states = (view: { nodes: { id: string; state: string }[] }) =>
    Object.fromEntries(view.nodes.map((node) => [node.id, node.state]));

  it('is skipped, makes no calls, and the join behind it runs once', async () => {
    const { api } = stage.engine;
    const name = stage.name();
    // two conditions in a row, and a spawner with an empty list, all lead to j
    await api.publish({
      name,
      nodes: [
        call('a'),
        call('b'),
        call('c'),
        call('d'),
        call('e'),
        {
          id: 'fan',
          type: 'SPAWNER',
          config: { items: '${input.items}', node: { type: 'HTTP', config: call('child').config } },
        },
        { id: 'merged', type: 'MERGE', config: {} },
        call('j'),
      ],
      edges: [
        edge('a', 'b', 'input.left'),
        edge('a', 'c', '!input.left'),
        edge('c', 'd', 'input.deep'),
        edge('c', 'e', '!input.deep'),
        ...['b', 'd', 'e', 'merged'].map((from) => edge(from, 'j')),
        edge('fan', 'merged'),
      ],
    });
    const ways = [
      [{ left: true, deep: true }, 'b', ['c', 'd', 'e']],
      [{ left: false, deep: true }, 'c d', ['b', 'e']],
      [{ left: false, deep: false }, 'c e', ['b', 'd']],
    ] as const;
    for (const [input, taken, skipped] of ways) {
      stage.sink.reset();
      const done = await api.run(name, { ...input, items: [] });
      expect(done).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ total: 0, verdict: 'PASSED' }] });
      expect(calls()).toEqual(['a', ...taken.split(' '), 'j'].sort());
      expect(states(done)).toMatchObject({
        j: 'SUCCEEDED',
        ...Object.fromEntries(skipped.map((id) => [id, 'SKIPPED'])),
      });
      expect(done.nodes.every(({ state }: { state: string }) => ['SUCCEEDED', 'SKIPPED'].includes(state))).toBe(true);
    }
  });

  it.each([
    ['all skipped', { skipped: 10, failed: 0, ok: 0 }],
    ['half of them skipped', { skipped: 5, failed: 0, ok: 5 }],
    ['half skipped, half failed and tolerated', { skipped: 5, failed: 5, ok: 0 }],
    ['none at all', { skipped: 0, failed: 0, ok: 0 }],
  ])('in children counts for them as nothing that failed: %s', async (_, { skipped, failed, ok }) => {
    const { api } = stage.engine;
    stage.sink.answer(({ path }) => (path === '/failed' ? { status: 400 } : {}));
    const child = stage.name();
    await api.publish({
      name: child,
      nodes: [
        { id: 'first', type: 'TRANSFORM', config: { output: '${input.kind}' } },
        {
          id: 'second',
          type: 'HTTP',
          config: { method: 'POST', url: `${stage.sink.url}/\${input.kind}` },
          retry: { maxAttempts: 1 },
        },
      ],
      edges: [edge('first', 'second', 'nodes.first.output != "skipped"')],
    });
    const name = stage.name();
    const joins = ['ALL_SUCCEEDED', 'ALL_DONE', 'ANY_SUCCEEDED'];
    await api.publish({
      name,
      nodes: [
        { id: 'fan', type: 'SPAWNER', config: { items: '${input.items}', pipeline: child } },
        {
          id: 'merged',
          type: 'MERGE',
          config: { tolerateChildFailures: ['FAILED'], failureTolerance: { maxFailureRatio: 0.5 } },
        },
        ...joins.map((join) => ({ id: join, type: 'TRANSFORM', join, config: { output: '1' } })),
      ],
      edges: [edge('fan', 'merged'), ...joins.map((join) => edge('merged', join))],
    });
    const items = Object.entries({ skipped, failed, ok }).flatMap(([kind, n]) =>
      Array.from({ length: n }, () => ({ kind })),
    );
    const done = await api.run(name, { items });
    expect(done).toMatchObject({
      state: 'SUCCEEDED',
      fanOuts: [{ total: items.length, succeeded: skipped + ok, failed, verdict: 'PASSED' }],
    });
    expect(stage.sink.calls).toHaveLength(failed + ok);
    for (const join of joins) expect(states(done)[join]).toBe('SUCCEEDED');
    for (const one of await api.children(done.id)) expect(['SUCCEEDED', 'FAILED']).toContain(one.state);
  });
});
