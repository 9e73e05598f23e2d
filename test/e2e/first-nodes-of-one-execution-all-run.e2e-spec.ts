import { eventually } from '../support/eventually.js';
import { quickRetry } from '../support/fan-out.js';
import { Gate } from '../support/gate.js';
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

  it('loses only the call whose time is over, not the one beside it', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    const gate = new Gate();
    sink.answer(async () => {
      // The second attempt of the one that was late is answered at once.
      if (sink.calls.filter(({ path }) => path === '/late').length < 2) await gate.pass();
      return {};
    });
    const name = stage.name();
    const post = (id: string) => ({
      id,
      type: 'HTTP',
      config: { method: 'POST', url: `${sink.url}/${id}`, body: '${input}' },
      retry: quickRetry(),
    });
    await api.publish({ name, nodes: [post('late'), post('beside')], edges: [] });
    const { id } = await api.start(name, {});
    await eventually(() => expect(gate.held).toBe(2));
    await engine.query(
      `update claim_batch set timeout_at = now() - interval '1 minute' where $1 = any (ids) and node = 0`,
      [id],
    );
    await eventually(() => expect(sink.calls.filter(({ path }) => path === '/late')).toHaveLength(2));
    await eventually(async () =>
      expect((await api.execution(id)).nodes[0]).toMatchObject({ state: 'SUCCEEDED', attempt: 2 }),
    );
    gate.open();
    expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', nodes: [{ attempt: 2 }, { attempt: 1 }] });
    expect(sink.calls.filter(({ path }) => path === '/beside')).toHaveLength(1);
  });
});
