import { modes } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { numbers } from '../support/fan-out.js';
import { Gate } from '../support/gate.js';
import { inModes } from '../support/in-every-mode.js';

inModes(modes, 'acting on one child', (stage) => {
  /** Children of two steps, `first` and `second`, that post the item. */
  const publish = async (child: object = {}) => {
    const { url } = stage.sink;
    const step = (id: string) => ({
      id,
      type: 'HTTP',
      config: { method: 'POST', url: `${url}/${id}`, body: '${input}' },
    });
    const names = [stage.name(), stage.name()] as const;
    await stage.engine.api.publish({
      name: names[0],
      ...child,
      nodes: [step('first'), step('second')],
      edges: [{ from: 'first', to: 'second' }],
    });
    await stage.engine.api.publish({
      name: names[1],
      nodes: [
        { id: 'fan', type: 'SPAWNER', config: { items: '${input.items}', pipeline: names[0] } },
        { id: 'join', type: 'MERGE', config: { tolerateChildFailures: ['FAILED'] } },
      ],
      edges: [{ from: 'fan', to: 'join' }],
    });
    return names[1];
  };
  const numberOf = (body: string) => (JSON.parse(body) as { n: number }).n;

  it('retries its failed step alone, and is refused where it runs or has succeeded', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    const broken = new Set([7, 8, 9, 10, 11]);
    const gate = new Gate();
    sink.answer(async ({ path, body }) => {
      const n = numberOf(body);
      if (n === 49 && path === '/second') await gate.pass();
      return { status: path === '/second' && broken.has(n) ? 400 : 200 };
    });
    const { id } = await api.start(await publish(), { items: numbers(50) });
    await eventually(async () =>
      expect((await api.execution(id)).fanOuts[0]).toMatchObject({ succeeded: 44, failed: 5, running: 1 }),
    );
    const earlier = await api.children(id, 'include=input,output');
    const attempts = await Promise.all(earlier.map((child) => api.attempts(child.id)));
    broken.clear();
    for (const at of [0, 49])
      expect(await api.call('POST', `/v1/executions/${earlier[at]!.id}/retry`, {})).toMatchObject({
        status: 409,
        json: { code: 'EXECUTION.ILLEGAL_TRANSITION' },
      });
    expect(await api.children(id, 'include=input,output')).toEqual(earlier);
    const from = sink.calls.length;
    await api.act(earlier[7]!.id, 'retry');
    expect(await api.settled(earlier[7]!.id)).toMatchObject({ state: 'SUCCEEDED' });
    expect(sink.calls.slice(from).map(({ path, body }) => [path, numberOf(body)])).toEqual([['/second', 7]]);
    const later = await api.children(id, 'include=input,output');
    expect(later.filter((_, n) => n !== 7)).toEqual(earlier.filter((_, n) => n !== 7));
    const now = await Promise.all(later.map((child) => api.attempts(child.id)));
    expect(now.filter((_, n) => n !== 7)).toEqual(attempts.filter((_, n) => n !== 7));
    expect(now[7]!.map(({ nodeId, outcome }) => [nodeId, outcome])).toEqual([
      ['first', 'SUCCEEDED'],
      ['second', 'FAILED'],
      ['second', 'SUCCEEDED'],
    ]);
    gate.open();
    expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 46, failed: 4 }] });
  });

  it('pauses it alone: its time is up only when it is resumed, and the merge waits for that', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    const gate = new Gate();
    const late = new Gate();
    sink.answer(async ({ path, body }) => {
      if (numberOf(body) === 5) await (path === '/first' ? gate : late).pass();
      return {};
    });
    const { id } = await api.start(await publish({ timeout: '1500ms' }), { items: numbers(10) });
    await eventually(async () => expect((await api.execution(id)).fanOuts[0]).toMatchObject({ succeeded: 9 }));
    const child = (await api.children(id))[5]!;
    await api.act(child.id, 'pause');
    gate.open();
    // its deadline has fallen due meanwhile
    const [deadline] = await engine.query<{ held: boolean }>(
      `select due_at < now() as held from timer where execution_id = $1 and kind = 'deadline'`,
      [child.id],
    );
    expect(deadline).toBeDefined();
    await eventually(async () => {
      const [row] = await engine.query<{ held: boolean }>(
        `select held from timer where execution_id = $1 and kind = 'deadline'`,
        [child.id],
      );
      return row!.held;
    });
    expect(await api.execution(id)).toMatchObject({ state: 'RUNNING', fanOuts: [{ paused: 1, verdict: 'OPEN' }] });
    expect(sink.calls.filter(({ path, body }) => path === '/second' && numberOf(body) === 5)).toEqual([]);
    await api.act(child.id, 'resume');
    expect(await api.settled(child.id)).toMatchObject({ state: 'FAILED', error: { class: 'TIMEOUT' } });
    late.open();
    expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 9, failed: 1 }] });
  });
});
