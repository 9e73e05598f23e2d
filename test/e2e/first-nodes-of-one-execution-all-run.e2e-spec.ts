import { inEveryMode } from '../support/in-every-mode.js';

inEveryMode('an execution with several first nodes', (stage) => {
  it('runs each of them once, however they are claimed', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    const name = stage.name();
    const post = (id: string) => ({
      id,
      type: 'HTTP',
      config: { method: 'POST', url: `${sink.url}/${id}`, body: '${input}' },
    });
    await api.publish({
      name,
      nodes: [post('a'), post('b'), post('c'), post('last')],
      edges: [
        { from: 'a', to: 'last' },
        { from: 'b', to: 'last' },
        { from: 'c', to: 'last' },
      ],
    });
    const runs = await Promise.all(Array.from({ length: 40 }, (_, n) => api.run(name, { n })));
    expect(runs.map(({ state }) => state)).toEqual(runs.map(() => 'SUCCEEDED'));
    expect(sink.calls.length).toBe(160);
    expect(new Set(sink.calls.map(({ path, body }) => `${path} ${body}`)).size).toBe(160);
  });
});
