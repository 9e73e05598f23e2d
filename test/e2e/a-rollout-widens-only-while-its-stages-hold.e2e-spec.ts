import { eventually } from '../support/eventually.js';
import { fanOut, numbers } from '../support/fan-out.js';
import { inEveryMode } from '../support/in-every-mode.js';

const rollout = [{ items: 10, maxFailureRatio: 0.1 }, { ratio: 0.5, maxFailureRatio: 0.1 }, { ratio: 1 }];
const tolerant = { merge: { tolerateChildFailures: ['FAILED'] } };

inEveryMode('a rollout', (stage) => {
  it('releases a stage only when the one before has settled within its ratio', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    const answered = new Set<number>();
    let early = 0;
    sink.answer(({ body }) => {
      const { n } = JSON.parse(body) as { n: number };
      // whatever belongs to a later stage must find the whole stage before it done
      if (n >= 10 && [...Array(10).keys()].some((i) => !answered.has(i))) early++;
      if (n >= 50 && [...Array(50).keys()].some((i) => !answered.has(i))) early++;
      answered.add(n);
      return { status: n === 3 ? 400 : 200 };
    });
    const name = stage.name();
    await api.publish(fanOut(name, sink.url, { spawner: { rollout }, ...tolerant }));
    const { id } = await api.start(name, { items: numbers(100) });
    const done = await api.settled(id);
    expect(done).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 99, failed: 1 }] });
    expect(early).toBe(0);
    expect(sink.calls).toHaveLength(100);
    const widened = (await api.events(id)).filter(({ type }) => type === 'fanout.resumed');
    expect(widened.map(({ data }) => data)).toMatchObject([
      { reason: 'ROLLOUT_STAGE', stage: 1 },
      { reason: 'ROLLOUT_STAGE', stage: 2 },
      { reason: 'ROLLOUT_STAGE', stage: 3 },
    ]);
  });

  it('that fails a stage pauses, says why, and goes on when it is resumed', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    sink.answer(({ body }) => ({ status: (JSON.parse(body) as { n: number }).n % 5 === 4 ? 400 : 200 }));
    const name = stage.name();
    await api.publish(fanOut(name, sink.url, { spawner: { rollout: rollout.slice(1) }, ...tolerant }));
    const { id } = await api.start(name, { items: numbers(100) });
    await eventually(async () => (await api.execution(id)).state === 'PAUSED');
    expect((await api.execution(id)).fanOuts[0]).toMatchObject({
      spawned: 100,
      succeeded: 40,
      failed: 10,
      deferredReason: 'ROLLOUT_STOPPED',
      rollout: { stage: 1, stages: 2, released: 50, stopped: { failed: 10, allowed: '0.1' } },
    });
    expect(await api.need(200, 'GET', `/v1/executions/${id}/why`)).toMatchObject({
      reason: 'ROLLOUT_STOPPED',
      detail: expect.stringMatching(/10 of 50 released children of fan failed.*stage 1 of 2.*ratio of 0\.1/),
    });
    expect((await api.events(id)).find(({ type }) => type === 'fanout.deferred')?.data).toMatchObject({
      reason: 'ROLLOUT_STOPPED',
      failed: 10,
      released: 50,
      allowed: '0.1',
    });
    const released = await api.call('POST', `/v1/executions/${id}/release`);
    expect(released).toMatchObject({ status: 409, text: expect.stringContaining('resume accepts') });
    expect(sink.calls).toHaveLength(50);
    await api.act(id, 'resume');
    expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 80, failed: 20 }] });
    expect(sink.calls).toHaveLength(100);
  });

  it('keeps its stages when a verdict that came early is retried', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    const bad = [0, 1, 2];
    sink.answer(({ body }) => ({ status: bad.includes((JSON.parse(body) as { n: number }).n) ? 400 : 200 }));
    const name = stage.name();
    const merge = { tolerateChildFailures: ['FAILED'], failureTolerance: { maxFailureCount: 1 }, failFast: true };
    const stages = [{ items: 5, maxFailureRatio: 0.2 }, { items: 10 }];
    await api.publish(fanOut(name, sink.url, { spawner: { rollout: stages }, merge }));
    const { id } = await api.start(name, { items: numbers(40) });
    expect(await api.settled(id)).toMatchObject({ state: 'FAILED' });
    await eventually(async () => expect((await api.execution(id)).fanOuts[0]!.cancelled).toBeGreaterThanOrEqual(35));
    await api.need(200, 'PATCH', `/v1/executions/${id}/fan-outs/fan`, { failureTolerance: { maxFailureCount: 30 } });
    await api.act(id, 'retry');
    await eventually(async () => (await api.execution(id)).state === 'PAUSED');
    const [stopped] = (await api.execution(id)).fanOuts;
    expect(stopped).toMatchObject({ succeeded: 2, failed: 3, cancelled: 0, deferredReason: 'ROLLOUT_STOPPED' });
    expect(new Set(sink.calls.map(({ body }) => body)).size).toBe(5);
    bad.length = 0;
    await api.act(id, 'resume');
    expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 37, failed: 3 }] });
  });

  it('that fails a stage starts nothing more when it is cancelled', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    sink.answer(() => ({ status: 400 }));
    const name = stage.name();
    await api.publish(fanOut(name, sink.url, { spawner: { rollout }, ...tolerant }));
    const { id } = await api.start(name, { items: numbers(100) });
    await eventually(async () => (await api.execution(id)).state === 'PAUSED');
    await api.act(id, 'cancel');
    await eventually(async () =>
      expect((await api.execution(id)).fanOuts[0]).toMatchObject({ failed: 10, cancelled: 90, deferredReason: null }),
    );
    expect(sink.calls).toHaveLength(10);
  });

  it('asks before a stage that needs approval, and a signal of the spawner approves it', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    const name = stage.name();
    const stages = [
      { items: 5, approval: true },
      { items: 10, approval: true },
      { items: 20, approval: true },
    ];
    await api.publish(fanOut(name, sink.url, { spawner: { rollout: stages }, ...tolerant }));
    const { id } = await api.start(name, { items: numbers(20) });
    const approve = () => api.need(202, 'POST', `/v1/executions/${id}/signals/fan`, {});
    const asks = (succeeded: number) =>
      eventually(async () =>
        expect((await api.execution(id)).fanOuts[0]).toMatchObject({ succeeded, deferredReason: 'ROLLOUT_APPROVAL' }),
      );
    await asks(0);
    expect(await api.need(200, 'GET', `/v1/executions/${id}/why`)).toMatchObject({ reason: 'ROLLOUT_APPROVAL' });
    expect(sink.calls).toHaveLength(0);
    await approve();
    await asks(5);
    // two at once: the second is kept for the stage that asks next
    await approve();
    await approve();
    expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 20 }] });
  });
});
