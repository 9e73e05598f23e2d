import { eventually } from '../support/eventually.js';
import { fanOut, numbers, quickRetry } from '../support/fan-out.js';
import { Gate } from '../support/gate.js';
import { inEveryMode } from '../support/in-every-mode.js';

inEveryMode('the last child to end', (stage) => {
  it.each([
    ['fails permanently', 'FAILED', { status: 400 }],
    ['exhausts its retries', 'FAILED', { status: 500 }],
    ['times out', 'FAILED', 'held'],
    ['is cancelled by hand', 'CANCELLED', 'held'],
  ] as const)('%s, and the merge is decided', async (how, kind, ending) => {
    const { sink, engine } = stage;
    const { api } = engine;
    const othersDone = new Gate();
    const never = new Gate();
    sink.answer(async ({ body }) => {
      if ((JSON.parse(body) as { n: number }).n < 9) return {};
      await othersDone.pass();
      if (ending !== 'held') return ending;
      await never.pass();
      return {};
    });
    const name = stage.name();
    await api.publish(
      fanOut(name, sink.url, {
        merge: { tolerateChildFailures: ['FAILED', 'CANCELLED'] },
        node: { retry: quickRetry(2), ...(how === 'times out' ? { timeout: '1s' } : {}) },
      }),
    );
    const { id } = await api.start(name, { items: numbers(10) });
    await eventually(async () => expect((await api.execution(id)).fanOuts[0]).toMatchObject({ succeeded: 9 }));
    othersDone.open();
    if (how === 'is cancelled by hand') await api.act((await api.children(id))[9]!.id, 'cancel');
    const done = await api.settled(id, 20_000);
    never.open();
    expect(done).toMatchObject({
      state: 'SUCCEEDED',
      fanOuts: [
        { succeeded: 9, failed: kind === 'FAILED' ? 1 : 0, cancelled: kind === 'CANCELLED' ? 1 : 0, verdict: 'PASSED' },
      ],
    });
  });
});
