import { inEveryMode } from '../support/in-every-mode.js';

inEveryMode('a mapping', (stage) => {
  it('makes what the next node sees as its input, digit for digit, whoever runs that', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    const name = stage.name();
    const call = { method: 'POST', url: sink.url, body: '${input}' };
    await api.publish({
      name,
      nodes: [
        { id: 'first', type: 'TRANSFORM', config: { output: { big: '${input.n}', list: [1, 2] } } },
        { id: 'second', type: 'TRANSFORM', config: { output: '${input.from}' } },
        { id: 'call', type: 'HTTP', config: call },
        {
          id: 'fan',
          type: 'SPAWNER',
          config: { items: '${input.items}', node: { type: 'HTTP', config: { ...call, body: '${item}' } } },
        },
        { id: 'plain', type: 'TRANSFORM', config: { output: '${input}' } },
      ],
      edges: [
        { from: 'first', to: 'second', mapping: { from: '${nodes.first.output.big}' } },
        { from: 'first', to: 'call', mapping: { a: '${nodes.first.output.big}', b: '${input.n}' } },
        { from: 'second', to: 'call', mapping: { b: '${nodes.second.output}', c: 'x' } },
        { from: 'first', to: 'fan', mapping: { items: '${nodes.first.output.list}' } },
        { from: 'second', to: 'plain' },
      ],
    });
    const n = '12345678901234567890123';
    const { id } = await api.need(201, 'POST', `/v1/pipelines/${name}/executions`, `{"input":{"n":${n}}}`);
    expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 2 }] });
    expect(sink.calls.map(({ body }) => body).sort()).toEqual(['1', '2', `{"a":${n},"b":${n},"c":"x"}`]);
    const { text } = await api.call('GET', `/v1/executions/${id}`);
    expect(text).toContain(`"n":${n}`);
  });

  it('that fails, fails the node it is for and says where', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    const mapping = { a: '${nodes.first.output.missing}' };
    for (const next of [
      { type: 'TRANSFORM', config: { output: '${input.a}' } },
      { type: 'HTTP', config: { method: 'POST', url: sink.url, body: '${input.a}' } },
      { type: 'SPAWNER', config: { items: '${input.a}', node: { type: 'TRANSFORM', config: { output: 1 } } } },
    ]) {
      const name = stage.name();
      await api.publish({
        name,
        nodes: [
          { id: 'first', type: 'TRANSFORM', config: { output: {} } },
          { id: 'next', ...next },
        ],
        edges: [{ from: 'first', to: 'next', mapping }],
      });
      expect(await api.run(name, {})).toMatchObject({
        state: 'FAILED',
        error: { class: 'PERMANENT', code: 'EXPRESSION.FAILED', nodeId: 'next' },
      });
    }
    expect(sink.calls).toHaveLength(0);
  });
});
