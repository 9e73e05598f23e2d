import { fanOut, quickRetry } from '../support/fan-out.js';
import { inEveryMode } from '../support/in-every-mode.js';

const PERMANENT = [301, 400, 401, 404, 409, 410, 422, 501, 505];
const TRANSIENT = [408, 425, 500, 502, 503, 504];

inEveryMode('an answer', (stage) => {
  it('is retried or not as the published table says, and the merge is told at once', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    sink.answer(({ body }) => {
      const { status, kind } = JSON.parse(body) as { status?: number; kind?: string };
      if (kind === 'reset') return { drop: true };
      if (kind === 'broken JSON') return { body: '{"open' };
      if (kind === 'nothing') return { status: 204, body: '' };
      if (kind === 'slow') return { delayMs: 1_500 };
      return { status, headers: { location: '/elsewhere' }, body: `"excerpt ${status}"` };
    });
    const name = stage.name();
    await api.publish(
      fanOut(name, sink.url, {
        http: { url: '${has(item.url) ? item.url : "' + sink.url + '/item"}' },
        merge: { tolerateChildFailures: ['FAILED'] },
        node: { retry: quickRetry(3), timeout: '1s' },
      }),
    );
    const items: { status?: number; kind?: string; url?: string; expected?: string; calls: number }[] = [
      ...PERMANENT.map((status) => ({ status, expected: 'PERMANENT', calls: 1 })),
      ...TRANSIENT.map((status) => ({ status, expected: 'TRANSIENT', calls: 3 })),
      { kind: 'reset', expected: 'TRANSIENT', calls: 3 },
      { kind: 'slow', expected: 'TIMEOUT', calls: 3 },
      { kind: 'refused', url: 'http://127.0.0.1:1/', expected: 'TRANSIENT', calls: 0 },
      { kind: 'unknown host', url: 'http://nowhere.invalid/', expected: 'TRANSIENT', calls: 0 },
      { kind: 'broken JSON', calls: 1 },
      { kind: 'nothing', calls: 1 },
    ];
    const done = await api.run(name, { items }, 40_000);
    const lines = (await api.resultLines(done.id)).map((line) => JSON.parse(line));
    const told = items.map(({ status, kind }, index) => {
      const calls = sink.calls.filter(({ body }) => {
        const sent = JSON.parse(body) as { status?: number; kind?: string };
        return sent.status === status && sent.kind === kind;
      });
      return { what: status ?? kind, expected: lines[index].error?.class, calls: calls.length };
    });
    expect(told).toEqual(items.map(({ status, kind, expected, calls }) => ({ what: status ?? kind, expected, calls })));
    for (const [index, { status }] of items.entries())
      if (status !== undefined) {
        expect(lines[index].error).toMatchObject({ status });
        expect(JSON.stringify(lines[index].error)).toContain(`excerpt ${status}`);
      }
    expect(lines.find((line) => items[line.index]!.kind === 'broken JSON').output.body).toBe('{"open');
  });

  it('429 or 503 with Retry-After makes the whole destination wait, and uses up no attempt', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    let until = 0;
    const early: number[] = [];
    sink.answer((call, index) => {
      if (index === 0) {
        until = call.at + 2_000;
        return { status: 429, headers: { 'retry-after': '2' } };
      }
      if (call.at < until) {
        early.push(Math.round(until - call.at));
        return { status: 503, headers: { 'retry-after': '2' } };
      }
      return {};
    });
    const name = stage.name();
    await api.publish(fanOut(name, sink.url, { spawner: { maxConcurrency: 5 }, node: { retry: { maxAttempts: 1 } } }));
    const done = await api.run(name, { items: Array.from({ length: 50 }, (_, n) => n) }, 40_000);
    expect(done).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 50 }] });
    // Only calls that had left before the answer came may be early: what was claimed with the first one.
    expect(early.length).toBeLessThanOrEqual(4);
    const first = await api.attempts((await api.children(done.id)).find(({ attempt }) => attempt >= 1)!.id);
    expect(first.filter(({ charged }) => charged)).toHaveLength(1);
  });
});
