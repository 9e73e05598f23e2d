import { eventually } from '../support/eventually.js';
import { fanOut } from '../support/fan-out.js';
import { inModes } from '../support/in-every-mode.js';

const items = 6_000;

inModes(
  ['services over RabbitMQ', 'services without a broker'],
  'a fan-out that is refused again and again',
  (stage) => {
    it('has no child meanwhile, then every item under its own key, whoever was killed on the way', async () => {
      const { engine, sink } = stage;
      const { api } = engine;
      const name = stage.name();
      const path = `${sink.url}/items`;
      await api.publish(fanOut(name, path, { spawner: { itemKey: '${item.id}' } }));
      const list = Array.from({ length: items }, (_, n) => ({ id: `item-${n}` }));
      const hold = () => api.need(200, 'PUT', '/v1/pressure', { reason: 'the store refuses' });
      const lift = () => api.need(202, 'DELETE', '/v1/pressure');
      await hold();
      const { id } = await api.start(name, { items: list });
      const fan = async () => (await api.execution(id)).fanOuts[0];
      for (let refusal = 0; refusal < 3; refusal++) {
        await eventually(async () => expect(await fan()).toMatchObject({ deferredReason: 'OPERATOR', spawned: 0 }), {
          timeoutMs: 30_000,
        });
        expect(await api.children(id)).toEqual([]);
        const [orchestrator] = engine.named('orchestrator');
        await orchestrator!.kill();
        // Lifted and refused anew while nobody decides: it finds out on its own which of the two it is.
        await lift();
        if (refusal < 2) await hold();
        await orchestrator!.up().ready();
      }
      const [orchestrator] = engine.named('orchestrator');
      await eventually(async () => expect((await fan())!.spawned).toBeGreaterThan(0), { timeoutMs: 30_000 });
      await orchestrator!.kill();
      await orchestrator!.up().ready();
      const done = await api.settled(id);
      expect(done).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ total: items, spawned: items, succeeded: items }] });
      const keys = new Set((await api.children(id)).map(({ itemKey }) => itemKey));
      expect(keys).toEqual(new Set(list.map((item) => item.id)));
      const calls = sink.calls.filter((call) => call.path === '/items');
      expect(new Set(calls.map(({ headers }) => headers['idempotency-key'])).size).toBe(items);
    });
  },
  async () => ({ executors: 1 }),
);
