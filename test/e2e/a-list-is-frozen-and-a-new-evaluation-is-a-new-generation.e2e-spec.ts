import { eventually } from '../support/eventually.js';
import { fanOut } from '../support/fan-out.js';
import { inEveryMode } from '../support/in-every-mode.js';

inEveryMode('an item list', (stage) => {
  it('is frozen at its first evaluation; evaluated anew it is a new generation with new keys', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    let evaluations = 0;
    sink.answer(({ path, body }) => {
      if (path !== '/list') return { body };
      evaluations += 1;
      return { body: evaluations === 1 ? '["a","b","c"]' : '["z","a","b","c"]' };
    });
    const name = stage.name();
    await api.publish(
      fanOut(name, `${sink.url}/item`, {
        before: [{ id: 'list', type: 'HTTP', config: { method: 'GET', url: `${sink.url}/list` } }],
        spawner: { items: '${nodes.list.output.body}' },
        edges: [{ from: 'list', to: 'fan' }],
      }),
    );
    const first = await api.run(name, {});
    expect(first).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ total: 3, generation: 1 }] });
    const reopened = await api.call('POST', `/v1/executions/${first.id}/retry`, { from: 'list' });
    // Only a failed execution is retried: this one had succeeded.
    expect(reopened.status).toBe(409);

    evaluations = 0;
    let broken = true;
    sink.answer(({ path, body }) => {
      if (path === '/list') {
        evaluations += 1;
        return { body: evaluations === 1 ? '["a","b","c"]' : '["z","a","b","c"]' };
      }
      return broken && body === '"b"' ? { status: 400 } : { body };
    });
    sink.reset();
    const failed = await api.run(name, {});
    expect(failed).toMatchObject({ state: 'FAILED', fanOuts: [{ total: 3, failed: 1, generation: 1 }] });
    broken = false;
    // A redrive keeps the list.
    await api.redrive(failed.id, { state: ['FAILED'] });
    await eventually(async () => expect((await api.execution(failed.id)).state).toBe('SUCCEEDED'));
    expect(evaluations).toBe(1);
    expect((await api.children(failed.id)).map(({ itemIndex }) => itemIndex)).toEqual([0, 1, 2]);
  });

  it('retried from the node that gives it is evaluated again, and no child of it inherits from another item', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    let evaluations = 0;
    let broken = true;
    sink.answer(({ path, body }) => {
      if (path === '/list') {
        evaluations += 1;
        return { body: evaluations === 1 ? '["a","b","c"]' : '["z","a","b","c"]' };
      }
      return broken && body === '"b"' ? { status: 400 } : { body };
    });
    const name = stage.name();
    await api.publish(
      fanOut(name, `${sink.url}/item`, {
        before: [{ id: 'list', type: 'HTTP', config: { method: 'GET', url: `${sink.url}/list` } }],
        spawner: { items: '${nodes.list.output.body}' },
        edges: [{ from: 'list', to: 'fan' }],
      }),
    );
    const failed = await api.run(name, {});
    expect(failed).toMatchObject({ state: 'FAILED' });
    const old = await api.children(failed.id);
    broken = false;
    sink.reset();
    await api.act(failed.id, 'retry', { from: 'list' });
    const done = await eventually(async () => {
      const now = await api.execution(failed.id);
      expect(now.state).toBe('SUCCEEDED');
      return now;
    });
    expect(evaluations).toBe(2);
    const current = done.fanOuts.find(({ generation }) => generation === 2);
    expect(current).toMatchObject({ total: 4, succeeded: 4, verdict: 'PASSED' });
    expect(
      sink.calls
        .filter(({ path }) => path === '/item')
        .map(({ body }) => body)
        .sort(),
    ).toEqual(['"a"', '"b"', '"c"', '"z"']);
    const results = (await api.resultLines(done.id)).map((line) => JSON.parse(line));
    expect(results.map(({ index, output }) => [index, output.body])).toEqual([
      [0, 'z'],
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
    ]);
    const keys = new Set(sink.callsByKey().keys());
    for (const child of old) for (const key of keys) expect(key).not.toContain(child.id);
  });
});
