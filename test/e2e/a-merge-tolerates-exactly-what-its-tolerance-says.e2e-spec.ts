import { eventually } from '../support/eventually.js';
import { fanOut, reportTo } from '../support/fan-out.js';
import { Gate } from '../support/gate.js';
import { inEveryMode } from '../support/in-every-mode.js';

const failing = (count: number, of: number): { fail: boolean }[] =>
  Array.from({ length: of }, (_, n) => ({ fail: n < count }));

inEveryMode('a tolerance', (stage) => {
  const statusOf = ({ body }: { body: string }) => ({
    status: (JSON.parse(body) as { fail?: boolean }).fail ? 400 : 200,
  });

  it.each([
    [0.05, 20, 1, 'SUCCEEDED'],
    [0.05, 20, 2, 'FAILED'],
    [0.29, 100, 29, 'SUCCEEDED'],
    [0.29, 100, 30, 'FAILED'],
    [0.58, 100, 58, 'SUCCEEDED'],
    [0.58, 100, 59, 'FAILED'],
    [0, 10, 1, 'FAILED'],
    [0, 10, 0, 'SUCCEEDED'],
    [1, 10, 10, 'SUCCEEDED'],
    [0.05, 10, 1, 'FAILED'],
  ])('of %d over %d items with %d failures ends %s', async (maxFailureRatio, total, failures, state) => {
    const { sink, engine } = stage;
    sink.answer(statusOf);
    const name = stage.name();
    await engine.api.publish(
      fanOut(name, sink.url, { merge: { tolerateChildFailures: ['FAILED'], failureTolerance: { maxFailureRatio } } }),
    );
    const done = await engine.api.run(name, { items: failing(failures, total) });
    expect(done).toMatchObject({
      state,
      fanOuts: [
        { total, succeeded: total - failures, failed: failures, verdict: state === 'FAILED' ? 'FAILED' : 'PASSED' },
      ],
    });
    if (state === 'FAILED') expect(done.error).toMatchObject({ class: 'TOLERANCE_EXCEEDED' });
    expect(sink.calls).toHaveLength(total);
  });

  it.each([-0.1, 1.5, '0.05', null])('of %j is refused when the pipeline is published', async (maxFailureRatio) => {
    const { api } = stage.engine;
    const definition = fanOut(stage.name(), stage.sink.url, {
      merge: { tolerateChildFailures: ['FAILED'], failureTolerance: { maxFailureRatio } },
    });
    const refused = await api.call('POST', '/v1/pipelines', definition);
    expect(refused.status).toBe(422);
    expect(refused.json.errors.map(({ path }: { path: string }) => path).join()).toContain('maxFailureRatio');
  });

  it('without kinds is refused when the pipeline is published', async () => {
    const definition = fanOut(stage.name(), stage.sink.url, { merge: { failureTolerance: { maxFailureRatio: 0.5 } } });
    expect((await stage.engine.api.call('POST', '/v1/pipelines', definition)).status).toBe(422);
  });

  describe('with fail-fast', () => {
    const publish = async (failFast: boolean) => {
      const name = stage.name();
      await stage.engine.api.publish(
        fanOut(name, stage.sink.url, {
          merge: { tolerateChildFailures: ['FAILED'], failureTolerance: { maxFailureRatio: 0.05 }, failFast },
        }),
      );
      return name;
    };

    it('is measured against the total: the first failure of a hundred alone ends nothing', async () => {
      const { sink, engine } = stage;
      const gate = new Gate();
      sink.answer(async (call) => {
        const { n, fail } = JSON.parse(call.body) as { n: number; fail: boolean };
        if (n !== 0) await gate.pass();
        return { status: fail ? 400 : 200 };
      });
      const name = await publish(true);
      const items = failing(5, 100).map((item, n) => ({ ...item, n }));
      const { id } = await engine.api.start(name, { items });
      await eventually(async () =>
        expect((await engine.api.execution(id)).fanOuts[0]).toMatchObject({ failed: 1, verdict: 'OPEN' }),
      );
      gate.open();
      expect(await engine.api.settled(id)).toMatchObject({
        state: 'SUCCEEDED',
        fanOuts: [{ succeeded: 95, failed: 5, verdict: 'PASSED' }],
      });
    });

    it('ends at the failure that certainly exceeds it, before the slow children end', async () => {
      const { sink, engine } = stage;
      const gate = new Gate();
      sink.answer(async (call) => {
        if ((JSON.parse(call.body) as { fail: boolean }).fail) return { status: 400 };
        await gate.pass();
        return {};
      });
      try {
        const name = await publish(true);
        const done = await engine.api.run(name, { items: failing(6, 100) });
        expect(done).toMatchObject({ state: 'FAILED', error: { class: 'TOLERANCE_EXCEEDED' } });
        await eventually(async () =>
          expect((await engine.api.execution(done.id)).fanOuts[0]).toMatchObject({
            failed: 6,
            cancelled: 94,
            succeeded: 0,
          }),
        );
      } finally {
        gate.open();
      }
    });

    it('off waits for every child and only then fails', async () => {
      const { sink, engine } = stage;
      const gate = new Gate();
      sink.answer(async (call) => {
        if ((JSON.parse(call.body) as { fail: boolean }).fail) return { status: 400 };
        await gate.pass();
        return {};
      });
      const name = await publish(false);
      const { id } = await engine.api.start(name, { items: failing(6, 100) });
      await eventually(async () => expect((await engine.api.execution(id)).fanOuts[0]).toMatchObject({ failed: 6 }));
      await eventually(() => expect(gate.held).toBe(94));
      expect(await engine.api.execution(id)).toMatchObject({ state: 'RUNNING', fanOuts: [{ verdict: 'OPEN' }] });
      gate.open();
      expect(await engine.api.settled(id)).toMatchObject({ state: 'FAILED', fanOuts: [{ succeeded: 94, failed: 6 }] });
    });
  });

  describe('of kinds', () => {
    const tenOf = async (kinds: string[], breaks: 'fail' | 'cancel' | 'time out') => {
      const { sink, engine } = stage;
      const gate = new Gate();
      sink.answer(async (call) => {
        const { special } = JSON.parse(call.body) as { special: boolean };
        if (!special) return {};
        if (breaks === 'fail') return { status: 400 };
        await gate.pass();
        return {};
      });
      const name = stage.name();
      await engine.api.publish(
        fanOut(name, sink.url, {
          merge: kinds.length === 0 ? {} : { tolerateChildFailures: kinds, failureTolerance: { maxFailureRatio: 0.5 } },
          node: { retry: { maxAttempts: 1 }, ...(breaks === 'time out' ? { timeout: '300ms' } : {}) },
        }),
      );
      const { id } = await engine.api.start(name, {
        items: Array.from({ length: 10 }, (_, n) => ({ n, special: n < 2 })),
      });
      if (breaks === 'cancel') {
        await eventually(() => expect(gate.held).toBe(2));
        const children = await engine.api.children(id);
        for (const child of children.slice(0, 2)) await engine.api.act(child.id, 'cancel');
      }
      const done = await engine.api.settled(id);
      gate.open();
      return done;
    };

    it.each([
      [['FAILED'], 'fail', 'SUCCEEDED'],
      [['FAILED'], 'time out', 'SUCCEEDED'],
      [['FAILED'], 'cancel', 'FAILED'],
      [['CANCELLED'], 'cancel', 'SUCCEEDED'],
      [['CANCELLED'], 'fail', 'FAILED'],
      [['FAILED', 'CANCELLED'], 'cancel', 'SUCCEEDED'],
      [[], 'fail', 'FAILED'],
      [[], 'cancel', 'FAILED'],
    ] as const)('%j with two children that %s ends %s', async (kinds, breaks, state) => {
      const done = await tenOf([...kinds], breaks);
      expect(done).toMatchObject({
        state,
        fanOuts: [{ succeeded: 8, [breaks === 'cancel' ? 'cancelled' : 'failed']: 2 }],
      });
    });
  });

  describe('over an empty list', () => {
    it.each([
      ['the default', {}],
      [
        'a ratio with fail-fast',
        { tolerateChildFailures: ['FAILED'], failureTolerance: { maxFailureRatio: 0.05 }, failFast: true },
      ],
      ['a ratio of 0', { tolerateChildFailures: ['FAILED'], failureTolerance: { maxFailureRatio: 0 } }],
    ])('passes once and downstream runs, with %s', async (_, merge) => {
      const { sink, engine } = stage;
      const name = stage.name();
      await engine.api.publish(
        fanOut(name, sink.url, { merge: { ...merge, results: 'INLINE' }, ...reportTo(`${sink.url}/report`) }),
      );
      const done = await engine.api.run(name, { items: [] }, 10_000);
      expect(done).toMatchObject({
        state: 'SUCCEEDED',
        fanOuts: [{ total: 0, spawned: 0, sealed: true, verdict: 'PASSED' }],
      });
      expect(sink.calls.map(({ path, body }) => [path, JSON.parse(body)])).toEqual([
        ['/report', { total: 0, succeeded: 0, failed: 0, cancelled: 0, results: [] }],
      ]);
    });

    it('that is a CSV with only a header passes too', async () => {
      const { sink, engine } = stage;
      const name = stage.name();
      await engine.api.publish(fanOut(name, sink.url, { spawner: { items: { dataset: '${input.dataset}' } } }));
      const dataset = await engine.api.upload('empty', 'csv', 'id,name\n');
      expect(await engine.api.run(name, { dataset: dataset.id }, 10_000)).toMatchObject({
        state: 'SUCCEEDED',
        fanOuts: [{ total: 0 }],
      });
    });
  });
});
