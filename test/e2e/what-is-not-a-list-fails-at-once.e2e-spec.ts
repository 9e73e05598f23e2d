import { fanOut } from '../support/fan-out.js';
import { inEveryMode } from '../support/in-every-mode.js';

inEveryMode('a spawner', (stage) => {
  it.each([
    ['nothing', {}, /items/],
    ['null', { items: null }, /null/],
    ['a string', { items: 'abc' }, /string/],
    ['a number', { items: 7 }, /number/],
    ['an object', { items: { a: 1 } }, /object/],
    ['a list as JSON text', { items: '[1,2]' }, /string/],
  ])('given %s fails permanently, at once, without a child', async (_, input, found) => {
    const { sink, engine } = stage;
    const name = stage.name();
    await engine.api.publish(fanOut(name, sink.url));
    const done = await engine.api.run(name, input, 10_000);
    expect(done).toMatchObject({ state: 'FAILED', error: { class: 'PERMANENT', nodeId: 'fan' } });
    expect(done.error!.message).toMatch(found);
    expect(await engine.api.children(done.id)).toEqual([]);
    expect(sink.calls).toEqual([]);
    const attempts = await engine.api.attempts(done.id);
    expect(attempts.length).toBeLessThanOrEqual(1);
  });

  it.each([
    ['one item', '[{"n":1}]'],
    ['null as an item', '[null,1]'],
    ['lists as items', '[[1,2],[],[[3]]]'],
  ])('given a list with %s makes one child of each', async (_, items) => {
    const { sink, engine } = stage;
    const name = stage.name();
    await engine.api.publish(fanOut(name, sink.url, { merge: { results: 'INLINE' } }));
    sink.answer(({ body }) => ({ body }));
    const { json } = await engine.api.call('POST', `/v1/pipelines/${name}/executions`, `{"input":{"items":${items}}}`);
    const done = await engine.api.settled(json.id);
    const expected = JSON.parse(items) as unknown[];
    expect(done).toMatchObject({
      state: 'SUCCEEDED',
      fanOuts: [{ total: expected.length, succeeded: expected.length }],
    });
    expect(sink.calls.map(({ body }) => body).sort()).toEqual(expected.map((item) => JSON.stringify(item)).sort());
    const results = (await engine.api.resultLines(done.id)).map((line) => JSON.parse(line).output.body);
    expect(results).toEqual(expected);
  });
});
