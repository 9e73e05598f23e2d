import { fanOut, numbers } from '../support/fan-out.js';
import { inModes } from '../support/in-every-mode.js';

// Whoever asks for a second connection while it holds the only one waits for itself.
inModes(
  ['services without a broker', 'services over RabbitMQ'],
  'processes with one database connection each',
  (stage) => {
    it('lay out, spawn, merge, retry and redrive as others do', async () => {
      const { engine, sink } = stage;
      const { api } = engine;
      let broken = true;
      sink.answer(({ body }) => (broken && (JSON.parse(body) as { n: number }).n % 10 === 1 ? { status: 400 } : {}));
      const leaf = stage.name();
      const child = { type: 'HTTP', config: { method: 'POST', url: sink.url, body: '${input}' } };
      await api.publish({ name: leaf, nodes: [{ id: 'call', ...child }], edges: [] });
      const name = stage.name();
      await api.publish(fanOut(name, sink.url, { spawner: { pipeline: leaf, node: undefined } }));
      const { id } = await api.start(name, { items: numbers(100) });
      expect(await api.settled(id)).toMatchObject({ state: 'FAILED', fanOuts: [{ succeeded: 90, failed: 10 }] });
      broken = false;
      const failed = (await api.children(id, 'state=FAILED'))[0]!;
      await api.act(failed.id, 'retry');
      await api.redrive(id, { state: ['FAILED'] });
      expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 100, failed: 0 }] });
    }, 90_000);
  },
  async () => ({ executors: 1, env: { DATABASE_POOL_MAX: '1' } }),
);
