import { eventually } from '../support/eventually.js';
import { Gate } from '../support/gate.js';
import { inEveryMode } from '../support/in-every-mode.js';

inEveryMode('a pipeline node', (stage) => {
  const call = (id: string, url: string, more: object = {}): object => ({
    id,
    type: 'HTTP',
    config: { method: 'POST', url, body: '${input}' },
    ...more,
  });

  /** A child that calls the sink, and a parent that runs it with `sub` and calls nothing itself. */
  const both = async (input?: unknown, more: object = {}): Promise<{ parent: string; child: string }> => {
    const { api } = stage.engine;
    const [child, parent] = [stage.name(), stage.name()];
    await api.publish({ name: child, nodes: [call('work', stage.sink.url)] });
    await api.publish({
      name: parent,
      nodes: [
        { id: 'sub', type: 'PIPELINE', config: { pipeline: child, ...(input === undefined ? {} : { input }) } },
        { id: 'after', type: 'TRANSFORM', config: { output: '${nodes.sub.output.body}' } },
      ],
      edges: [{ from: 'sub', to: 'after' }],
      ...more,
    });
    return { parent, child };
  };

  it('has the exact output of its child, which shows in children and lineage', async () => {
    const { api } = stage.engine;
    stage.sink.answer(({ body }) => ({
      headers: { 'content-type': 'application/json' },
      body: `{"got":${body},"n":9007199254740993}`,
    }));
    const { parent, child } = await both({ x: '${input.a}' });
    const { id } = await api.start(parent, { a: [1, 2] });
    const done = await api.settled(id);
    expect(done.state).toBe('SUCCEEDED');
    expect((await api.call('GET', `/v1/executions/${id}`)).text).toContain(
      '"output":{"got":{"x":[1,2]},"n":9007199254740993}',
    );
    const children = await api.children(id);
    expect(children).toMatchObject([{ parentId: id, state: 'SUCCEEDED', pipeline: { name: child, version: 1 } }]);
    expect(await api.need(200, 'GET', `/v1/executions/${children[0]!.id}/lineage`)).toMatchObject({
      ancestors: [{ id, nodeId: 'sub' }],
    });
    expect(await api.attempts(id)).toEqual([]);
  });

  it('gives its child the input of its execution where it says none', async () => {
    const { parent } = await both();
    expect((await stage.engine.api.run(parent, { only: 'this' })).state).toBe('SUCCEEDED');
    expect(stage.sink.calls.map((c) => c.body)).toEqual(['{"only":"this"}']);
  });

  it('takes the newest version, or the one it names', async () => {
    const { api } = stage.engine;
    const [child, newest, named] = [stage.name(), stage.name(), stage.name()];
    const saying = (text: string) => ({
      name: child,
      nodes: [{ id: 'say', type: 'TRANSFORM', config: { output: text } }],
    });
    await api.publish(saying('first'));
    await api.publish({ name: newest, nodes: [{ id: 'sub', type: 'PIPELINE', config: { pipeline: child } }] });
    await api.publish({ name: named, nodes: [{ id: 'sub', type: 'PIPELINE', config: { pipeline: `${child}@1` } }] });
    await api.publish(saying('second'));
    expect((await api.run(newest, {})).output).toBe('second');
    expect((await api.run(named, {})).output).toBe('first');
  });

  it('fails with the error of its child, and a retry runs the same child again', async () => {
    const { api } = stage.engine;
    stage.sink.answer(() => ({ status: 422 }));
    const { parent } = await both();
    const failed = await api.run(parent, {});
    expect(failed).toMatchObject({ state: 'FAILED', error: { class: 'PERMANENT', status: 422, nodeId: 'sub' } });
    const [before] = await api.children(failed.id);
    stage.sink.answer(() => ({}));
    await api.act(failed.id, 'retry');
    expect((await api.settled(failed.id)).state).toBe('SUCCEEDED');
    const after = await api.children(failed.id);
    expect(after).toMatchObject([{ id: before!.id, state: 'SUCCEEDED' }]);
    expect(stage.sink.calls).toHaveLength(2);
  });

  it('goes on when its failed child is retried', async () => {
    const { api } = stage.engine;
    stage.sink.answer(() => ({ status: 422 }));
    const { parent } = await both();
    const failed = await api.run(parent, {});
    stage.sink.answer(() => ({}));
    await api.act((await api.children(failed.id))[0]!.id, 'retry');
    expect((await api.settled(failed.id)).state).toBe('SUCCEEDED');
  });

  it('is reached by pause and cancel', async () => {
    const { api } = stage.engine;
    const gate = new Gate();
    stage.sink.answer(async () => (await gate.pass(), {}));
    const [child, parent] = [stage.name(), stage.name()];
    await api.publish({
      name: child,
      nodes: [call('one', stage.sink.url), call('two', stage.sink.url)],
      edges: [{ from: 'one', to: 'two' }],
    });
    await api.publish({ name: parent, nodes: [{ id: 'sub', type: 'PIPELINE', config: { pipeline: child } }] });
    const { id } = await api.start(parent, {});
    await eventually(() => expect(gate.held).toBe(1));
    await api.act(id, 'pause');
    gate.open();
    const childId = (await api.children(id))[0]!.id;
    await eventually(async () =>
      expect((await api.execution(childId)).nodes).toMatchObject([{ state: 'SUCCEEDED' }, { state: 'PENDING' }]),
    );
    expect(await api.need(200, 'GET', `/v1/executions/${childId}/why`)).toMatchObject({ reason: 'PAUSED' });
    await api.act(id, 'cancel');
    await eventually(async () => expect((await api.execution(childId)).state).toBe('CANCELLED'));
    expect(stage.sink.calls).toHaveLength(1);
  });
});
