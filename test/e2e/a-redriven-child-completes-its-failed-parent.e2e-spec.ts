import { eventually } from '../support/eventually.js';
import { fanOut, reportTo } from '../support/fan-out.js';
import { Gate } from '../support/gate.js';
import { inEveryMode } from '../support/in-every-mode.js';

const items = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));
const before = (url: string) => ({
  before: [{ id: 'first', type: 'HTTP', config: { method: 'POST', url: `${url}/first`, body: '${input}' } }],
});

inEveryMode('a redrive', (stage) => {
  let broken: Set<number>;
  const answer = ({ path, body }: { path: string; body: string }) =>
    path === '/item' && broken.has((JSON.parse(body) as { n: number }).n) ? { status: 400 } : {};
  const callsTo = (path: string) => stage.sink.calls.filter((call) => call.path === path);
  const publish = async (name: string) => {
    const { url } = stage.sink;
    const report = reportTo(`${url}/report`);
    await stage.engine.api.publish(
      fanOut(name, `${url}/item`, {
        ...before(url),
        ...report,
        edges: [{ from: 'first', to: 'fan' }, ...report.edges!],
      }),
    );
    return name;
  };

  it('child by child completes the failed parent by itself, and downstream runs once', async () => {
    const { api } = stage.engine;
    broken = new Set([3, 7]);
    stage.sink.answer(answer);
    const name = await publish(stage.name());
    const failed = await api.run(name, { items: items(20) });
    expect(failed).toMatchObject({ state: 'FAILED', fanOuts: [{ succeeded: 18, failed: 2, round: 1 }] });
    expect(callsTo('/report')).toEqual([]);
    const children = await api.children(failed.id);
    broken.clear();
    await api.act(children[3]!.id, 'retry');
    await eventually(async () =>
      expect(await api.execution(failed.id)).toMatchObject({ fanOuts: [{ succeeded: 19, failed: 1 }] }),
    );
    expect((await api.execution(failed.id)).state).not.toBe('SUCCEEDED');
    await api.act(children[7]!.id, 'retry');
    await eventually(async () =>
      expect(await api.execution(failed.id)).toMatchObject({
        state: 'SUCCEEDED',
        fanOuts: [{ succeeded: 20, failed: 0 }],
      }),
    );
    expect(callsTo('/report')).toHaveLength(1);
    expect(callsTo('/first')).toHaveLength(1);
    expect(callsTo('/item')).toHaveLength(22);
    const types = (await api.events(failed.id)).map(({ type }) => type);
    expect(types).toEqual(expect.arrayContaining(['execution.failed', 'execution.reopened', 'execution.succeeded']));
  });

  it('touches only the child it names', async () => {
    const { api } = stage.engine;
    broken = new Set([1, 2, 3, 4, 5]);
    stage.sink.answer(answer);
    const name = await publish(stage.name());
    const failed = await api.run(name, { items: items(50) });
    const earlier = await api.children(failed.id);
    broken.clear();
    await api.act(earlier[3]!.id, 'retry');
    await eventually(async () => expect((await api.execution(earlier[3]!.id)).state).toBe('SUCCEEDED'));
    const later = await api.children(failed.id);
    for (const [index, child] of later.entries()) if (index !== 3) expect(child).toEqual(earlier[index]);
    const refused = await api.call('POST', `/v1/executions/${earlier[0]!.id}/retry`, {});
    expect(refused).toMatchObject({ status: 409, json: { code: 'EXECUTION.ILLEGAL_TRANSITION' } });
    expect(await api.children(failed.id)).toEqual(later);
  });

  it('of a run calls again only what had failed', async () => {
    const { api } = stage.engine;
    broken = new Set([8, 16, 24, 32]);
    stage.sink.answer(answer);
    const name = await publish(stage.name());
    const failed = await api.run(name, { items: items(50) });
    broken.clear();
    expect(await api.redrive(failed.id, { state: ['FAILED'], dryRun: true })).toEqual({ matched: 4, redriven: 0 });
    expect(await api.redrive(failed.id, { state: ['FAILED'] })).toEqual({ matched: 4, redriven: 4 });
    await eventually(async () =>
      expect(await api.execution(failed.id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ round: 2 }] }),
    );
    const counts = [...stage.sink.callsByKey()].map(([, count]) => count);
    expect(callsTo('/item')).toHaveLength(54);
    expect(callsTo('/first')).toHaveLength(1);
    expect(callsTo('/report')).toHaveLength(1);
    expect(counts.filter((count) => count === 2)).toHaveLength(4);
    const again = callsTo('/item').slice(-4);
    for (const { headers } of again) expect(headers['x-execution-id']).toBe(`${String(headers['idempotency-key'])}-2`);
  });

  it('pressed while others still run leaves those alone', async () => {
    const { api } = stage.engine;
    broken = new Set([1, 2]);
    const gate = new Gate();
    stage.sink.answer(async (call) => {
      const reply = answer(call);
      if (call.path === '/item' && (JSON.parse(call.body) as { n: number }).n >= 40) await gate.pass();
      return reply;
    });
    const name = await publish(stage.name());
    const { id } = await api.start(name, { items: items(50) });
    await eventually(async () =>
      expect((await api.execution(id)).fanOuts[0]).toMatchObject({ failed: 2, succeeded: 38 }),
    );
    broken.clear();
    expect(await api.redrive(id, { state: ['FAILED'] })).toEqual({ matched: 2, redriven: 2 });
    await eventually(async () =>
      expect((await api.execution(id)).fanOuts[0]).toMatchObject({ failed: 0, succeeded: 40 }),
    );
    gate.open();
    expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 50, round: 1 }] });
    expect(callsTo('/item')).toHaveLength(52);
    expect(callsTo('/report')).toHaveLength(1);
  });

  it('under a parent that had tolerated the failure changes tally and results, and not the verdict', async () => {
    const { api } = stage.engine;
    broken = new Set([0]);
    stage.sink.answer(answer);
    const name = stage.name();
    await api.publish(fanOut(name, `${stage.sink.url}/item`, { merge: { tolerateChildFailures: ['FAILED'] } }));
    const done = await api.run(name, { items: items(5) });
    expect(done).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ failed: 1, round: 1 }] });
    broken.clear();
    const [child] = await api.children(done.id, 'state=FAILED');
    await api.act(child!.id, 'retry');
    await eventually(async () =>
      expect((await api.execution(done.id)).fanOuts[0]).toMatchObject({ failed: 0, succeeded: 5 }),
    );
    expect(await api.execution(done.id)).toMatchObject({
      state: 'SUCCEEDED',
      output: done.output,
      fanOuts: [{ verdict: 'PASSED', round: 1 }],
    });
    expect(JSON.parse((await api.resultLines(done.id))[0]!)).toMatchObject({ index: 0, state: 'SUCCEEDED' });
  });

  it('under a cancelled parent is refused', async () => {
    const { api } = stage.engine;
    broken = new Set([0]);
    const gate = new Gate();
    stage.sink.answer(async (call) => {
      if ((JSON.parse(call.body) as { n: number }).n > 0) await gate.pass();
      return answer(call);
    });
    const name = stage.name();
    await api.publish(fanOut(name, `${stage.sink.url}/item`));
    const { id } = await api.start(name, { items: items(3) });
    await eventually(async () => expect((await api.execution(id)).fanOuts[0]).toMatchObject({ failed: 1 }));
    const [child] = await api.children(id, 'state=FAILED');
    await api.act(id, 'cancel');
    gate.open();
    await api.settled(id);
    expect(await api.call('POST', `/v1/executions/${child!.id}/retry`, {})).toMatchObject({
      status: 409,
      json: { code: 'EXECUTION.ANCESTOR_CANCELLED' },
    });
  });
});
