import { fanOut } from '../support/fan-out.js';
import { inEveryMode } from '../support/in-every-mode.js';

const texts = [
  '{"id":9007199254740993}',
  '{"id":9007199254740992}',
  '{"id":3544790567247868102}',
  '{"id":-9223372036854775808}',
  '{"v":1e400}',
  '{"v":0.1}',
  '{"v":1.0}',
  '{"v":-0}',
  '{"b":1,"a":2}',
  '{"s":"a\\u0000b"}',
  '{"s":"\\\\u0000"}',
  '{"\\u0000k":1}',
  '{"s":"\\ud83d\\ude00"}',
  '{"s":"\\ud800"}',
  '{"__proto__":{"polluted":true,"status":"SUCCEEDED"}}',
  '{"constructor":{"prototype":{"tolerateChildFailures":["FAILED"]}}}',
  '{"s":"${item.id} and ${secrets.TOKEN}"}',
  'null',
  '[]',
  '"text"',
  '0',
  '[1,[2,[3]]]',
];

inEveryMode('a payload', (stage) => {
  const start = async (name: string) => {
    const { json, status, text } = await stage.engine.api.call(
      'POST',
      `/v1/pipelines/${name}/executions`,
      `{"input":{"items":[${texts.join(',')}]}}`,
    );
    if (status !== 201) throw new Error(text);
    return json.id as string;
  };

  it('leaves as the exact JSON text that came in: to the destination, in the child, in results and in the merge', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    sink.answer(({ body }) => ({ body }));
    const name = stage.name();
    await api.publish(fanOut(name, sink.url, { merge: { results: 'INLINE' } }));
    const id = await start(name);
    expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: texts.length }] });
    expect(sink.calls.map(({ body }) => body).sort()).toEqual([...texts].sort());
    const lines = await api.resultLines(id);
    lines.forEach((line, index) => expect(line).toContain(`"body":${texts[index]}`));
    const children = await api.children(id);
    for (const [index, child] of children.entries()) {
      const shown = await api.call('GET', `/v1/executions/${child.id}`);
      expect(shown.text).toContain(`"input":${texts[index]}`);
      expect(shown.text).toContain(`"body":${texts[index]}`);
    }
    const whole = await api.call('GET', `/v1/executions/${id}`);
    for (const text of texts) expect(whole.text).toContain(`"body":${text}`);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('stays exact through an expression that only passes parts of it on', async () => {
    const { sink, engine } = stage;
    const name = stage.name();
    await engine.api.publish(fanOut(name, sink.url, { http: { body: { wrapped: '${item}', at: '${index}' } } }));
    const id = await start(name);
    expect(await engine.api.settled(id)).toMatchObject({ state: 'SUCCEEDED' });
    expect(sink.calls.map(({ body }) => body).sort()).toEqual(
      texts.map((text, index) => `{"wrapped":${text},"at":${index}}`).sort(),
    );
  });

  it('with a NUL in an answer or in an error text never stops a child from settling', async () => {
    const { sink, engine } = stage;
    const name = stage.name();
    sink.answer(({ body }) =>
      (JSON.parse(body) as { fail: boolean }).fail
        ? { status: 400, headers: { 'content-type': 'text/plain' }, body: 'broken \u0000 here' }
        : { body: '{"raw\\u0000key":"a\\u0000b"}' },
    );
    await engine.api.publish(fanOut(name, sink.url, { merge: { tolerateChildFailures: ['FAILED'] } }));
    const done = await engine.api.run(name, { items: [{ fail: true }, { fail: false }] }, 15_000);
    expect(done).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 1, failed: 1 }] });
    const [failed, succeeded] = await engine.api.resultLines(done.id);
    expect(JSON.parse(failed!)).toMatchObject({ state: 'FAILED', error: { status: 400 } });
    expect(succeeded).toContain('"body":{"raw\\u0000key":"a\\u0000b"}');
  });
});
