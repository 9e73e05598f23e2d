import { eventually } from '../support/eventually.js';
import { fanOut, numbers } from '../support/fan-out.js';
import { inModes } from '../support/in-every-mode.js';

inModes(
  ['services without a broker', 'services over RabbitMQ'],
  'a definition of a later release',
  (stage) => {
    it('is left alone by an executor that cannot read it, and costs nobody an attempt', async () => {
      const { engine, sink } = stage;
      const { api } = engine;
      const name = stage.name();
      const other = stage.name();
      await api.publish(fanOut(name, `${sink.url}/later`));
      await api.publish(fanOut(other, `${sink.url}/known`));
      const { id } = await api.start(name, { items: numbers(15) });
      // Orchestrator and api have read it; to an executor that starts now it names a node that only a later release performs.
      await eventually(async () => expect((await api.execution(id)).fanOuts[0]).toMatchObject({ ready: 15 }));
      const as = (from: string, to: string) =>
        engine.query(`update pipeline_version set definition = replace(definition, $2, $3) where name = $1`, [
          name,
          `"type":"${from}"`,
          `"type":"${to}"`,
        ]);
      await as('HTTP', 'TELEPORT');
      const old = await engine.add('executor');
      await eventually(() => expect(old.log).toContain('TELEPORT'));
      // It performs all else meanwhile.
      expect(await api.run(other, { items: numbers(30) })).toMatchObject({ state: 'SUCCEEDED' });
      expect(await api.execution(id)).toMatchObject({ state: 'RUNNING', fanOuts: [{ failed: 0, succeeded: 0 }] });
      expect(sink.calls.filter(({ path }) => path === '/later')).toEqual([]);
      await as('TELEPORT', 'HTTP');
      await engine.add('executor');
      expect(await api.settled(id, 90_000)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 15 }] });
      for (const child of (await api.children(id)).slice(0, 5))
        expect(await api.attempts(child.id)).toMatchObject([{ attempt: 1, charged: true, outcome: 'SUCCEEDED' }]);
    });
  },
  async () => ({ executors: 0 }),
);
