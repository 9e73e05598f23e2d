import { eventually } from '../support/eventually.js';
import { fanOut } from '../support/fan-out.js';
import { inEveryMode } from '../support/in-every-mode.js';

inEveryMode('a spawner that failed on its way', (stage) => {
  it('goes on at its cursor, attaches the children that are there, and runs none of them again', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    const name = stage.name();
    sink.answer(({ body }) => (body === '{"i":5}' ? { status: 400 } : { body }));
    const items = Array.from({ length: 1_200 }, (_, i) => ({ i }));
    // The input of item 1,100 cannot be computed: the second batch of children is never born.
    const input = { i: '${item.i + 0 * (100 / (1100 - item.i))}' };
    await api.publish(fanOut(name, `${sink.url}/item`, { spawner: { input } }));
    const first = await api.run(name, { items });
    expect(first).toMatchObject({
      state: 'FAILED',
      error: { code: 'EXPRESSION.FAILED', nodeId: 'fan', itemIndex: 1_100 },
      fanOuts: [{ total: 1_200, spawned: 1_000, sealed: false }],
    });
    expect((await api.call('POST', `/v1/executions/${first.id}/retry`)).status).toBe(200);
    await eventually(async () => {
      const again = await api.execution(first.id);
      expect(again).toMatchObject({ state: 'FAILED', fanOuts: [{ spawned: 1_000, attached: 1_000, round: 2 }] });
    });
    const bodies = sink.calls.map(({ body }) => body);
    expect(new Set(bodies).size).toBe(bodies.length);
  });
});
