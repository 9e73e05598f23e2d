import { modes } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { fanOut, numbers, quickRetry } from '../support/fan-out.js';
import { Gate } from '../support/gate.js';
import { inModes } from '../support/in-every-mode.js';

inModes(modes, 'redrives at the same time', (stage) => {
  it('count each failed child once between them, and it runs once more', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    const gate = new Gate();
    sink.answer(() => ({ status: 400 }));
    const name = stage.name();
    await api.publish(fanOut(name, sink.url, { node: { retry: quickRetry(1) } }));
    const { id } = await api.run(name, { items: numbers(10) });
    // what runs again cannot fail again before all have been answered: that would be there for the taking
    sink.answer(async () => {
      await gate.pass();
      return { status: 400 };
    });
    const filters = [
      {},
      { class: 'PERMANENT' },
      { state: ['FAILED', 'CANCELLED'] },
      { itemIndexes: [3, 4] },
      { node: 'fan' },
      {},
    ];
    const answers = await Promise.all(filters.map((filter) => api.redrive(id, filter)));
    const sum = (of: 'matched' | 'redriven'): number => answers.reduce((total, answer) => total + answer[of], 0);
    expect([sum('matched'), sum('redriven')]).toEqual([10, 10]);
    expect(await api.redrive(id, { dryRun: true })).toEqual({ matched: 0, redriven: 0 });
    await eventually(() => expect(gate.held).toBe(10));
    gate.open();
    const again = await api.settled(id);
    expect(again).toMatchObject({ state: 'FAILED', fanOuts: [{ failed: 10, round: 2 }] });
    expect([...sink.callsByKey().values()]).toEqual(Array.from({ length: 10 }, () => 2));
    expect(await api.redrive(id, { dryRun: true })).toEqual({ matched: 10, redriven: 0 });
  });
});
