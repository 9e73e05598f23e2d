import { follow } from '../support/event-stream.js';
import { fanOut } from '../support/fan-out.js';
import { inEveryMode } from '../support/in-every-mode.js';

const states = ['pending', 'ready', 'running', 'paused', 'succeeded', 'failed', 'cancelled'] as const;

/** Every value of a JSON text that looks like a number and is written as text. */
const numbersAsText = (value: unknown, path = ''): string[] => {
  if (typeof value === 'string') return /^-?\d+(\.\d+)?$/.test(value) ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => numbersAsText(inner, `${path}/${key}`));
};

inEveryMode('counters', (stage) => {
  it.each([9, 10, 99, 100, 1_000])('of %i children are numbers, in every view, and add up', async (count) => {
    const { sink, engine } = stage;
    const { api } = engine;
    // A tenth fails for one reason, and every hundredth for another.
    const cause = (n: number) => (n % 100 === 7 ? 404 : n % 10 === 3 ? 400 : 200);
    sink.answer(({ body }) => ({ status: cause(Number((JSON.parse(body) as { n: string }).n)) }));
    const rows = Array.from({ length: count }, (_, n) => n);
    const failing = rows.filter((n) => cause(n) !== 200);
    const dataset = await api.upload(`rows-${count}`, 'csv', `n\n${rows.join('\n')}\n`);
    expect(dataset.itemCount).toBe(count);
    const name = stage.name();
    await api.publish(
      fanOut(name, sink.url, {
        spawner: { items: { dataset: '${input.dataset}' } },
        merge: { tolerateChildFailures: ['FAILED'] },
      }),
    );
    const { id } = await api.start(name, { dataset: dataset.id });
    const frames = await follow(api, id);
    const done = await api.settled(id);
    const [fan] = done.fanOuts;
    expect(fan).toMatchObject({
      total: count,
      spawned: count,
      succeeded: count - failing.length,
      failed: failing.length,
    });
    expect(done.output).toEqual({
      total: count,
      succeeded: count - failing.length,
      failed: failing.length,
      cancelled: 0,
    });
    // At no moment is more counted than there is: a share of the whole never exceeds it.
    const told = frames.filter(({ event }) => event === 'progress').map(({ data }) => data.fanOuts[0]);
    for (const one of [...told, fan!]) {
      for (const state of states) expect(typeof one[state]).toBe('number');
      expect(states.reduce((sum, state) => sum + one[state], 0)).toBe(one.spawned);
      expect(one.spawned).toBeLessThanOrEqual(count);
    }
    const views = await Promise.all(
      ['', '/lineage', '/failures', '/events?limit=1000', '/attempts?limit=1000', '/children?limit=1000'].map((path) =>
        api.need(200, 'GET', `/v1/executions/${id}${path}`),
      ),
    );
    for (const view of views) expect(numbersAsText(view)).toEqual([]);
    const [, lineage, failures] = views;
    expect(lineage.descendants).toMatchObject({ SUCCEEDED: count - failing.length, FAILED: failing.length });
    const groups = (failures.items as { status: number; count: number }[]).map((g) => [g.status, g.count]);
    const of = (status: number) => failing.filter((n) => cause(n) === status).length;
    const expected = [
      [400, of(400)],
      [404, of(404)],
    ].filter(([, n]) => n! > 0);
    expect(new Map(groups as [number, number][])).toEqual(new Map(expected as [number, number][]));
    // The most frequent first, by number: 100 before 10, and 10 before 9.
    const counts = groups.map(([, n]) => n!);
    expect(counts).toEqual([...counts].sort((x, y) => y - x));
    // Item order is that of numbers, not of their digits.
    const lines = (await api.resultLines(id)).map((line) => JSON.parse(line) as { index: number });
    expect(lines.map(({ index }) => index)).toEqual(rows);
    const csv = await api.call('GET', `/v1/executions/${id}/failed-items`);
    expect(
      csv.text
        .trim()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(',')[0]),
    ).toEqual(failing.map(String));
  });
});
