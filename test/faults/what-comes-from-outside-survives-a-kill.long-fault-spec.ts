import { eventually } from '../support/eventually.js';
import { Gate } from '../support/gate.js';
import { inModes } from '../support/in-every-mode.js';

inModes(
  ['services without a broker'],
  'after a kill',
  (stage) => {
    it('every occurrence of a schedule is started once, and the next one as well', async () => {
      const { engine } = stage;
      const name = stage.name();
      await engine.api.publish({ name, nodes: [{ id: 'a', type: 'TRANSFORM', config: { output: 1 } }] });
      await engine.api.need(201, 'POST', '/v1/schedules', {
        name,
        pipeline: name,
        cron: '*/1 * * * * *',
        overlap: 'QUEUE',
      });
      const seconds = async () =>
        (
          (await engine.api.need(200, 'GET', `/v1/executions?label=schedule=${name}&limit=1000`)).items as {
            labels: { scheduledFor: string };
          }[]
        )
          .map(({ labels }) => Date.parse(labels.scheduledFor) / 1_000)
          .sort((a, b) => a - b);
      const reaches = async (count: number) =>
        eventually(async () => expect((await seconds()).length).toBeGreaterThanOrEqual(count), { timeoutMs: 30_000 });
      await reaches(2);
      for (const orchestrator of engine.named('orchestrator')) await orchestrator.kill();
      await engine.add('orchestrator');
      await reaches(8);
      await engine.add('orchestrator');
      await reaches(12);
      await engine.api.need(202, 'DELETE', `/v1/schedules/${name}`);
      const all = await seconds();
      expect(all).toEqual(all.map((_, i) => all[0]! + i));
    });

    it('a notice that was on its way is sent again, the same under the same id', async () => {
      const { engine, sink } = stage;
      const gate = new Gate();
      sink.answer(async ({ path }) => {
        if (path === '/told') await gate.pass();
        return {};
      });
      const name = stage.name();
      await engine.api.publish({
        name,
        nodes: [{ id: 'a', type: 'TRANSFORM', config: { output: 1 } }],
        notify: [{ on: ['SUCCEEDED'], url: `${sink.url}/told` }],
      });
      const { id } = await engine.api.start(name, {});
      await eventually(() => expect(sink.calls).toHaveLength(1));
      for (const executor of engine.named('executor')) await executor.kill();
      gate.open();
      await engine.add('executor');
      await eventually(
        async () =>
          expect((await engine.api.need(200, 'GET', `/v1/executions/${id}/notices`)).items).toMatchObject([
            { id: `${id}-1`, state: 'DELIVERED', attempts: 2 },
          ]),
        { timeoutMs: 90_000 },
      );
      expect(sink.calls).toHaveLength(2);
      const [first, second] = sink.calls.map(({ body, headers }) => [body, headers['idempotency-key']]);
      expect(second).toEqual(first);
    });
  },
  async () => ({ orchestrators: 1, executors: 1 }),
);
