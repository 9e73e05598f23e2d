import { eventually } from '../support/eventually.js';
import { fanOut, numbers } from '../support/fan-out.js';
import { inModes } from '../support/in-every-mode.js';

inModes(
  ['services without a broker', 'services over RabbitMQ'],
  'what cannot be decided',
  (stage) => {
    const publish = async (node: object = {}) => {
      const name = stage.name();
      await stage.engine.api.publish(fanOut(name, stage.sink.url, { node }));
      return name;
    };

    it('because its fan-out is broken holds up no other verdict, and has its own once it is mended', async () => {
      const { engine, sink } = stage;
      const { api } = engine;
      sink.answer(() => ({ delayMs: 300 }));
      const name = await publish();
      const broken = await api.start(name, { items: numbers(5) });
      await eventually(async () => expect((await api.execution(broken.id)).fanOuts).toHaveLength(1));
      await engine.query(`update fan_out set tolerance = 'no json' where parent_id = $1`, [broken.id]);
      const others = await Promise.all(Array.from({ length: 5 }, () => api.start(name, { items: numbers(5) })));
      for (const { id } of others) expect((await api.settled(id, 30_000)).state).toBe('SUCCEEDED');
      await eventually(async () =>
        expect(await api.execution(broken.id)).toMatchObject({ state: 'RUNNING', fanOuts: [{ succeeded: 5 }] }),
      );
      expect(engine.log).toContain('set aside');
      await engine.query(`update fan_out set tolerance = null where parent_id = $1`, [broken.id]);
      expect((await api.settled(broken.id, 30_000)).state).toBe('SUCCEEDED');
    }, 90_000);

    it('because a recorded outcome is broken holds up no other, in its batch or behind it', async () => {
      const { engine, sink } = stage;
      const { api } = engine;
      const orchestrator = engine.named('orchestrator')[0]!;
      const name = await publish({ retry: { maxAttempts: 1 } });
      sink.answer(({ body }) =>
        (JSON.parse(body) as { n: number }).n === 1 ? { delayMs: 500, status: 400 } : { delayMs: 500 },
      );
      const { id } = await api.start(name, { items: numbers(4) });
      await eventually(() => expect(sink.calls).toHaveLength(4));
      await orchestrator.kill();
      const recorded = () =>
        engine.query<{ n: number }>(
          `select count(*)::int as n from task t join execution e on e.id = t.execution_id join fan_out f on f.id = e.fan_out_id
           where f.parent_id = $1 and t.state = 'recorded'`,
          [id],
        );
      await eventually(async () => expect((await recorded())[0]!.n).toBe(4));
      const child = (await api.children(id))[1]!;
      const [kept] = await engine.query<{ error: string }>(
        `with old as (select error from task where execution_id = $1)
         update task set error = 'no json' where execution_id = $1 returning (select error from old) as error`,
        [child.id],
      );
      await orchestrator.up().ready();
      await eventually(
        async () =>
          expect(await api.execution(id)).toMatchObject({ state: 'RUNNING', fanOuts: [{ succeeded: 3, failed: 0 }] }),
        { timeoutMs: 30_000 },
      );
      sink.answer(() => ({}));
      expect((await api.run(name, { items: numbers(20) }, 30_000)).state).toBe('SUCCEEDED');
      expect(engine.log).toContain('set aside');
      await engine.query(`update task set error = $2 where execution_id = $1`, [child.id, kept!.error]);
      expect(await api.settled(id, 40_000)).toMatchObject({ state: 'FAILED', fanOuts: [{ succeeded: 3, failed: 1 }] });
    }, 120_000);
  },
  async () => ({ executors: 1 }),
);
