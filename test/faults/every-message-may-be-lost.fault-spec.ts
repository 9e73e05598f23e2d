import { fanOut, numbers } from '../support/fan-out.js';
import { inModes } from '../support/in-every-mode.js';

inModes(
  ['services without a broker'],
  'with every message dropped the first time it is sent',
  (stage) => {
    it('a thousand children settle within a minute, each called once', async () => {
      const { engine, sink } = stage;
      const { api } = engine;
      // A hand-out is sent again by its sweep, the same text; of everything else no copy ever arrives.
      await engine.query('create table dropped (body text primary key)');
      await engine.query(`
        create function drop_message() returns trigger language plpgsql as $$
        begin
          if new.queue like 'task\\_ready\\_\\_%' and exists (select from dropped where body = new.body) then
            return new;
          end if;
          insert into dropped values (new.body) on conflict do nothing;
          return null;
        end $$`);
      await engine.query(
        'create trigger drop_message before insert on bus_message for each row execute function drop_message()',
      );
      const name = stage.name();
      await api.publish(fanOut(name, sink.url));
      const done = await api.run(name, { items: numbers(1_000) }, 60_000);
      expect(done).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 1_000 }] });
      expect(sink.calls).toHaveLength(1_000);
      expect(sink.callsByKey().size).toBe(1_000);
      const [{ dropped }] = (await engine.query<{ dropped: number }>(
        'select count(*)::int as dropped from dropped',
      )) as [{ dropped: number }];
      expect(dropped).toBeGreaterThan(5);
    }, 90_000);
  },
  async () => ({}),
);
