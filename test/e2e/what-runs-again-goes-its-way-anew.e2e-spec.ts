import { eventually } from '../support/eventually.js';
import { numbers } from '../support/fan-out.js';
import { inEveryMode } from '../support/in-every-mode.js';

inEveryMode('what runs again', (stage) => {
  const call = (id: string, more: object = {}) => ({
    id,
    type: 'HTTP',
    config: { method: 'POST', url: `${stage.sink.url}/${id}`, body: '${input}' },
    retry: { maxAttempts: 1 },
    ...more,
  });
  const callsTo = (path: string) => stage.sink.calls.filter((one) => one.path === path).length;
  const spawn = (name: string, pipeline: string) => ({
    name,
    nodes: [
      { id: 'fan', type: 'SPAWNER', config: { items: '${input.items}', pipeline } },
      { id: 'join', type: 'MERGE', config: {} },
    ],
    edges: [{ from: 'fan', to: 'join' }],
  });

  it('keeps its order: a failed node behind a failed one waits for it', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    let broken = true;
    let answered = 0;
    let answeredBefore = -1;
    sink.answer(async ({ path }) => {
      if (broken) return { status: 400 };
      if (path === '/late') answeredBefore = answered;
      else {
        await new Promise((resolve) => setTimeout(resolve, 300));
        answered += 1;
      }
      return {};
    });
    const name = stage.name();
    await api.publish({
      name,
      nodes: [call('early'), call('late', { join: 'ALL_DONE' })],
      edges: [{ from: 'early', to: 'late' }],
    });
    const { id } = await api.start(name, {});
    expect((await api.settled(id)).state).toBe('FAILED');
    broken = false;
    await api.act(id, 'retry');
    expect((await api.settled(id)).state).toBe('SUCCEEDED');
    expect(answeredBefore).toBe(1);
    expect(stage.sink.calls.map(({ path }) => path)).toEqual(['/early', '/late', '/early', '/late']);
  });

  it('reaches what was skipped behind its failure, in children of several nodes too', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    let broken = true;
    sink.answer(({ path, body }) =>
      broken && path === '/first' && (JSON.parse(body) as { n: number }).n % 2 === 1 ? { status: 400 } : {},
    );
    const child = stage.name();
    await api.publish({
      name: child,
      nodes: [call('first'), call('second')],
      edges: [{ from: 'first', to: 'second', condition: 'nodes.first.state == "SUCCEEDED"' }],
    });
    const name = stage.name();
    await api.publish(spawn(name, child));
    const { id } = await api.start(name, { items: numbers(20) });
    expect(await api.settled(id)).toMatchObject({ state: 'FAILED', fanOuts: [{ succeeded: 10, failed: 10 }] });
    expect([callsTo('/first'), callsTo('/second')]).toEqual([20, 10]);
    broken = false;
    await api.redrive(id, { state: ['FAILED'] });
    await eventually(async () =>
      expect(await api.execution(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 20 }] }),
    );
    expect([callsTo('/first'), callsTo('/second')]).toEqual([30, 20]);
    expect(await engine.fsck()).toEqual([]);
  });

  it('is, in children with merges of their own, what failed below each of them', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    let broken = true;
    sink.answer(({ body }) => (broken && (JSON.parse(body) as { n: number }).n === 1 ? { status: 400 } : {}));
    const leaf = stage.name();
    await api.publish({ name: leaf, nodes: [call('call')], edges: [] });
    const middle = stage.name();
    await api.publish(spawn(middle, leaf));
    const name = stage.name();
    await api.publish(spawn(name, middle));
    const { id } = await api.start(name, { items: Array.from({ length: 30 }, () => ({ items: numbers(3) })) });
    expect(await api.settled(id)).toMatchObject({ state: 'FAILED', fanOuts: [{ succeeded: 0, failed: 30 }] });
    broken = false;
    await api.redrive(id, { state: ['FAILED'] });
    await eventually(
      async () => expect(await api.execution(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 30 }] }),
      { timeoutMs: 30_000 },
    );
    expect(sink.calls).toHaveLength(30 * 3 + 30);
    for (const { fanOuts } of await Promise.all((await api.children(id)).map((one) => api.execution(one.id))))
      expect(fanOuts).toMatchObject([{ succeeded: 3, failed: 0, round: 2, verdict: 'PASSED' }]);
    expect(await engine.fsck()).toEqual([]);
  });

  it('is kept no longer than failed executions are, once it is cancelled', async () => {
    const { api } = stage.engine;
    stage.sink.answer(() => new Promise(() => undefined));
    const name = stage.name();
    await api.publish({ name, nodes: [call('call')], edges: [], retention: { failed: '1s' } });
    const { id } = await api.start(name, {});
    await eventually(() => expect(callsTo('/call')).toBe(1));
    await api.act(id, 'cancel');
    await eventually(async () => expect((await api.call('GET', `/v1/executions/${id}`)).status).toBe(404));
  });
});
