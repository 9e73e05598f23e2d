import { eventually } from '../support/eventually.js';
import { Gate } from '../support/gate.js';
import { inEveryMode } from '../support/in-every-mode.js';

inEveryMode('a cancel', (stage) => {
  it('ends every attempt that runs, of one execution and of all its children, in their histories', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    const gate = new Gate();
    sink.answer(async () => (await gate.pass(), {}));
    const call = { type: 'HTTP', config: { method: 'POST', url: sink.url } };
    const both = [
      { id: 'left', ...call },
      { id: 'right', ...call },
    ];
    const child = stage.name();
    await api.publish({ name: child, nodes: both, edges: [] });
    const name = stage.name();
    const fan = { id: 'fan', type: 'SPAWNER', config: { items: [1, 2], pipeline: child } };
    await api.publish({ name, nodes: [...both, fan], edges: [] });
    const { id } = await api.start(name, {});
    await eventually(() => expect(gate.held).toBe(6));
    const ids = [id, ...(await api.children(id)).map((one) => one.id)];
    await api.act(id, 'cancel');
    await eventually(async () =>
      expect((await api.execution(id)).fanOuts[0]).toMatchObject({ cancelled: 2, running: 0 }),
    );
    for (const one of ids) {
      const attempts = await api.attempts(one);
      expect(attempts.map(({ nodeId, outcome }) => `${nodeId} ${outcome}`).sort()).toEqual([
        'left CANCELLED',
        'right CANCELLED',
      ]);
      const ends = (await api.events(one)).map(({ type }) => type).slice(-3);
      expect(ends).toEqual(['attempt.ended', 'attempt.ended', 'execution.cancelled']);
    }
    gate.open();
  });
});
