import { fanOut, reportTo } from '../support/fan-out.js';
import { inEveryMode } from '../support/in-every-mode.js';

inEveryMode('the last two children of a fan-out', (stage) => {
  it.each([
    ['both succeed', [200, 200]],
    ['one fails', [200, 400]],
  ])('settle in the same millisecond and merge once, 200 times: %s', async (_, statuses) => {
    const { sink, engine } = stage;
    const { api } = engine;
    const waiting = new Map<number, () => void>();
    sink.answer(async ({ path, body }) => {
      if (path === '/report') return {};
      const { run, n } = JSON.parse(body) as { run: number; n: number };
      const other = waiting.get(run);
      if (other) other();
      else await new Promise<void>((release) => waiting.set(run, release));
      return { status: statuses[n] };
    });
    const name = stage.name();
    await api.publish(
      fanOut(name, `${sink.url}/item`, {
        merge: { tolerateChildFailures: ['FAILED'] },
        ...reportTo(`${sink.url}/report`),
      }),
    );
    // Twenty at a time: two calls each, all held until both of a pair are there.
    for (let from = 0; from < 200; from += 20) {
      const runs = Array.from({ length: 20 }, (__, index) => from + index);
      const done = await Promise.all(runs.map((run) => api.run(name, { items: [0, 1].map((n) => ({ run, n })) })));
      const failed = statuses.filter((status) => status === 400).length;
      for (const { state, fanOuts } of done) {
        expect(state).toBe('SUCCEEDED');
        expect(fanOuts).toMatchObject([{ succeeded: 2 - failed, failed, verdict: 'PASSED', round: 1 }]);
      }
    }
    const reports = sink.calls.filter(({ path }) => path === '/report');
    expect(reports).toHaveLength(200);
    expect(new Set(reports.map(({ headers }) => headers['idempotency-key'])).size).toBe(200);
  });
});
