import { eventually } from '../support/eventually.js';
import { fanOut, numbers } from '../support/fan-out.js';
import { Gate } from '../support/gate.js';
import { inModes } from '../support/in-every-mode.js';

inModes(
  ['services over RabbitMQ', 'services without a broker', 'standalone'],
  'a spawner whose children nobody takes',
  (stage) => {
    it('stays within its lead, says that it is parked, and wakes by itself when they are taken', async () => {
      const { sink, engine } = stage;
      const { api } = engine;
      const gate = new Gate();
      sink.answer(async () => (await gate.pass(), {}));
      const name = stage.name();
      await api.publish(fanOut(name, sink.url));
      const { id } = await api.start(name, { items: numbers(2_000) });
      await eventually(
        async () =>
          expect((await api.execution(id)).fanOuts[0]).toMatchObject({
            deferredReason: 'SPAWN_LEAD',
            deferredUntil: expect.any(String),
            sealed: false,
          }),
        { timeoutMs: 20_000 },
      );
      const [parked] = (await api.execution(id)).fanOuts;
      // What was admitted has left the lead.
      expect(parked!.spawned).toBeLessThanOrEqual(100 + parked!.ready + parked!.running);
      expect(parked!.ready).toBeLessThanOrEqual(60);
      expect(await api.need(200, 'GET', `/v1/executions/${id}/why`)).toMatchObject({ reason: 'SPAWN_LEAD' });
      gate.open();
      const done = await api.settled(id);
      expect(done).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 2_000, deferredReason: null }] });
      const told = (await api.events(id)).filter(({ type }) => /^fanout\.(deferred|resumed)$/.test(type));
      expect(told.slice(0, 2).map(({ type, data }) => [type, data.reason])).toEqual([
        ['fanout.deferred', 'SPAWN_LEAD'],
        ['fanout.resumed', 'SPAWN_LEAD'],
      ]);
    });
  },
  async () => ({ env: { SPAWN_LEAD: '100', ADMISSION_WINDOW: '60' } }),
);
