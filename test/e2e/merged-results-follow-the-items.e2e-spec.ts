import { fanOut, quickRetry } from '../support/fan-out.js';
import { inEveryMode } from '../support/in-every-mode.js';

inEveryMode('merged results', (stage) => {
  it('follow item order, one entry per item from its last attempt, failures in their places', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    const special: Record<number, string> = { 4: 'null', 5: '', 6: '[1,[2]]' };
    const tries = new Map<number, number>();
    sink.answer((call) => {
      const { n } = JSON.parse(call.body) as { n: number };
      const attempt = (tries.get(n) ?? 0) + 1;
      tries.set(n, attempt);
      if (n === 1 || n === 2) return { status: 422, body: `{"n":${n}}` };
      if (n >= 10 && n < 15 && attempt < 3) return { status: 503, body: `{"attempt":${attempt}}` };
      // Later items first, so that finishing order is not item order.
      return { delayMs: (20 - n) * 5, body: special[n] ?? `{"n":${n},"attempt":${attempt}}` };
    });
    const name = stage.name();
    await api.publish(
      fanOut(name, sink.url, {
        merge: { tolerateChildFailures: ['FAILED'], results: 'INLINE' },
        node: { retry: quickRetry() },
      }),
    );
    const done = await api.run(name, { items: Array.from({ length: 20 }, (_, n) => ({ n })) });
    expect(done).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 18, failed: 2 }] });
    const lines = (await api.resultLines(done.id, 'fan')).map((line) => JSON.parse(line));
    expect(lines.map(({ index }) => index)).toEqual(Array.from({ length: 20 }, (_, n) => n));
    for (const { index, state, output, error } of lines) {
      if (index === 1 || index === 2) {
        expect({ state, code: error.class, status: error.status }).toEqual({
          state: 'FAILED',
          code: 'PERMANENT',
          status: 422,
        });
        continue;
      }
      expect(state).toBe('SUCCEEDED');
      const text = special[index];
      expect(output.body).toEqual(
        text === undefined
          ? { n: index, attempt: index >= 10 && index < 15 ? 3 : 1 }
          : text === ''
            ? ''
            : JSON.parse(text),
      );
    }
    expect(await api.resultLines(done.id, 'join')).toEqual(await api.resultLines(done.id, 'fan'));
    const join = (await api.execution(done.id)).output;
    expect(join.results ?? join.join?.results ?? join).toBeTruthy();
  });

  it.each([
    ['three equal numbers', '[1,1,1]'],
    ['equal and almost equal values', '[1,"1",1.0,true]'],
    ['a hundred equal objects', `[${Array(100).fill('{"same":"thing"}').join(',')}]`],
  ])('have one entry for each of %s', async (_, items) => {
    const { sink, engine } = stage;
    const name = stage.name();
    sink.answer(({ body }) => ({ body }));
    await engine.api.publish(fanOut(name, sink.url));
    const { json } = await engine.api.call('POST', `/v1/pipelines/${name}/executions`, `{"input":{"items":${items}}}`);
    const done = await engine.api.settled(json.id);
    const texts = items.slice(1, -1).split(/,(?![^{]*\})/);
    expect(done).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ total: texts.length, succeeded: texts.length }] });
    expect(sink.calls.map(({ body }) => body).sort()).toEqual([...texts].sort());
    expect(new Set(sink.callsByKey().keys()).size).toBe(texts.length);
    const lines = await engine.api.resultLines(done.id);
    expect(lines).toHaveLength(texts.length);
    lines.forEach((line, index) => expect(line).toContain(`"body":${texts[index]}`));
  });

  it('with equal business keys are refused before the first child, naming both positions', async () => {
    const { sink, engine } = stage;
    const name = stage.name();
    await engine.api.publish(fanOut(name, sink.url, { spawner: { itemKey: '${item.key}' } }));
    const done = await engine.api.run(
      name,
      { items: [{ key: 'a' }, { key: 'b' }, { key: 'c' }, { key: 'b' }] },
      10_000,
    );
    expect(done).toMatchObject({ state: 'FAILED', error: { class: 'PERMANENT' } });
    expect(done.error!.message).toMatch(/\b1\b.*\b3\b/);
    expect(await engine.api.children(done.id)).toEqual([]);
    expect(sink.calls).toEqual([]);
  });
});
