import { eventually } from '../support/eventually.js';
import { fanOut, numbers, quickRetry } from '../support/fan-out.js';
import { Gate } from '../support/gate.js';
import { inEveryMode } from '../support/in-every-mode.js';

inEveryMode('a changed priority', (stage) => {
  it('holds for whatever comes back from then on, by retry or by an operator', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    const gate = new Gate();
    sink.answer(async () => (await gate.pass(), { status: 503 }));
    const name = stage.name();
    await api.publish(
      fanOut(name, sink.url, {
        spawner: { maxConcurrency: 1 },
        node: { retry: { ...quickRetry(2), initialDelay: '30s' } },
      }),
    );
    const { id } = await api.start(name, { items: numbers(5) });
    await eventually(() => expect(gate.held).toBe(1));
    const children = await api.children(id);
    const priorityOf = async (index: number) =>
      (
        await engine.query<{ priority: number }>(`select priority from comeback where execution_id = $1`, [
          children[index]!.id,
        ])
      )[0]?.priority;
    await api.act(children[3]!.id, 'pause');
    expect(await priorityOf(3)).toBe(5);
    await api.need(200, 'PATCH', `/v1/executions/${id}/fan-outs/fan`, { priority: 9 });
    await api.act(children[4]!.id, 'pause');
    expect([await priorityOf(3), await priorityOf(4)]).toEqual([9, 9]);
    gate.open();
    await eventually(async () => expect(await priorityOf(0)).toBe(9));
    await api.act(id, 'cancel');
    await api.settled(id);
  });
});
