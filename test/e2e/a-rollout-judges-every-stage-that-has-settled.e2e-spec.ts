import { markUnjudged } from '../../libs/persistence/src/execution-path/repair/mark-unjudged.sql.js';
import { eventually } from '../support/eventually.js';
import { fanOut, numbers } from '../support/fan-out.js';
import { inEveryMode } from '../support/in-every-mode.js';

const merge = { tolerateChildFailures: ['FAILED', 'CANCELLED'] };

inEveryMode('a rollout that is judged wherever it stands', (stage) => {
  const begin = async (rollout: object[]) => {
    const { sink, engine } = stage;
    const name = stage.name();
    await engine.api.publish(fanOut(name, sink.url, { spawner: { rollout }, merge }));
    return (await engine.api.start(name, { items: numbers(10) })).id;
  };
  const cancel = async (id: string, from: number, to: number) => {
    const { api } = stage.engine;
    for (const child of (await api.children(id)).slice(from, to)) await api.act(child.id, 'cancel');
  };
  const widened = async (id: string) =>
    (await stage.engine.api.events(id))
      .filter(({ type }) => type === 'fanout.resumed')
      .map(({ data }) => (data as { stage: number }).stage);

  it('goes on through a stage that has settled before it begins when it is resumed after a stop', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    const bad = new Set([0]);
    sink.answer(({ body }) => ({ status: bad.has((JSON.parse(body) as { n: number }).n) ? 400 : 200 }));
    const id = await begin([{ items: 1, maxFailureRatio: 0 }, { items: 2 }, { items: 4 }, { ratio: 1 }]);
    await eventually(
      async () => expect(await api.execution(id)).toMatchObject({ state: 'PAUSED', fanOuts: [{ failed: 1 }] }),
      {
        timeoutMs: 30_000,
      },
    );
    const [, child] = await api.children(id);
    await api.act(child!.id, 'release');
    await eventually(async () => expect((await api.execution(id)).fanOuts[0]!.succeeded).toBe(1));
    await cancel(id, 2, 4);
    await api.act(id, 'resume');
    expect(await api.settled(id)).toMatchObject({
      state: 'SUCCEEDED',
      fanOuts: [{ succeeded: 7, failed: 1, cancelled: 2 }],
    });
    expect(await widened(id)).toEqual([1, 2, 3, 4]);
  });

  it('goes on through such a stage when it is approved, and says nothing of approvals once it has its verdict', async () => {
    const { api } = stage.engine;
    const stages = [{ items: 1 }, { items: 3, approval: true }, { items: 5 }, { ratio: 1, approval: true }];
    const id = await begin(stages);
    const asks = (succeeded: number) =>
      eventually(async () =>
        expect((await api.execution(id)).fanOuts[0]).toMatchObject({ succeeded, deferredReason: 'ROLLOUT_APPROVAL' }),
      );
    await asks(1);
    await cancel(id, 1, 5);
    await api.need(202, 'POST', `/v1/executions/${id}/signals/fan`, {});
    await eventually(async () => expect(await widened(id)).toEqual([1, 2, 3]));
    await asks(1);
    await cancel(id, 5, 10);
    expect(await api.settled(id)).toMatchObject({
      state: 'SUCCEEDED',
      fanOuts: [{ succeeded: 1, cancelled: 9, deferredReason: null }],
    });
  });

  it('goes on through such a stage when the stage before has settled', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    let letGo = () => {};
    const held = new Promise<void>((resolve) => (letGo = resolve));
    sink.answer(async () => (await held, { status: 200 }));
    const id = await begin([{ items: 3, maxFailureRatio: 0 }, { items: 6 }, { ratio: 1 }]);
    await eventually(() => expect(sink.calls).toHaveLength(3));
    await cancel(id, 3, 6);
    letGo();
    expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 7, cancelled: 3 }] });
    expect(await widened(id)).toEqual([1, 2, 3]);
  });

  it('stands stopped when a stage fails while an operator has paused it, until he resumes once more', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    let letGo = () => {};
    const held = new Promise<void>((resolve) => (letGo = resolve));
    sink.answer(async ({ body }) => (await held, { status: (JSON.parse(body) as { n: number }).n === 0 ? 400 : 200 }));
    const id = await begin([{ items: 2, maxFailureRatio: 0 }, { ratio: 1 }]);
    const why = () => api.need(200, 'GET', `/v1/executions/${id}/why`);
    await eventually(() => expect(sink.calls).toHaveLength(2));
    await api.act(id, 'pause');
    letGo();
    const stopped = { deferredReason: 'ROLLOUT_STOPPED', rollout: { stopped: { failed: 1, allowed: '0' } } };
    await eventually(async () => expect((await api.execution(id)).fanOuts[0]).toMatchObject(stopped));
    const figures = expect.stringContaining('1 of 2 released children of fan failed');
    expect(await why()).toMatchObject({ reason: 'PAUSED', detail: figures });
    expect(await api.act(id, 'resume')).toMatchObject({ state: 'PAUSED', fanOuts: [stopped] });
    expect(await why()).toMatchObject({ reason: 'ROLLOUT_STOPPED', detail: figures });
    expect(sink.calls).toHaveLength(2);
    await api.act(id, 'resume');
    expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 9, failed: 1 }] });
    expect((await api.execution(id)).fanOuts[0]).toMatchObject({ deferredReason: null, rollout: { stopped: null } });
  });

  it('is found by the sweep when nothing has marked it', async () => {
    const { engine } = stage;
    const { api } = engine;
    const id = await begin([{ items: 1 }, { ratio: 1, approval: true }]);
    await eventually(async () =>
      expect((await api.execution(id)).fanOuts[0]).toMatchObject({ succeeded: 1, deferredReason: 'ROLLOUT_APPROVAL' }),
    );
    // approved, with the mark of it lost
    const [lost] = await engine.query<{ id: number }>(
      `update fan_out set stage_hold = 'accepted' where parent_id = $1 returning id`,
      [id],
    );
    await engine.query(markUnjudged.text, [[lost!.id]]);
    expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 10 }] });
  });
});
