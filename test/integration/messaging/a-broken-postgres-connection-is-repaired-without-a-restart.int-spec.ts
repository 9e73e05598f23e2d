import pg from 'pg';
import { eventually } from '../../support/eventually.js';
import { Link } from '../../support/link.js';
import { freshNamespace } from '../../support/rabbit.js';
import { connected, postgres, type Party } from './messaging-party.js';

describe('a Postgres bus whose connections break', () => {
  const kind = postgres();
  let admin: pg.Client;
  let party: Party;
  let link: Link;
  let namespace: string;
  let got: number[];
  let heard: unknown[];

  beforeAll(async () => {
    await kind.prepare();
    admin = new pg.Client({ connectionString: kind.url() });
    await admin.connect();
  });
  beforeEach(async () => {
    link = await Link.to(kind.url());
    namespace = freshNamespace();
    party = await kind.join(namespace, link.url);
    await connected(party);
    got = [];
    heard = [];
    party.strategy.consume('work', (payloads: { n: number }[]) => got.push(...payloads.map(({ n }) => n)));
    party.strategy.listen(() => undefined);
    await party.bus.subscribe('settled', (payload) => heard.push(payload));
  });
  afterEach(async () => {
    link.cut();
    await party.close();
    await link.close();
  });
  afterAll(async () => {
    await admin.end();
    await kind.cleanUp();
  });

  const bothWaysWork = (mark: number) =>
    eventually(
      async () => {
        await party.bus.publish('work', [{ n: mark }]);
        await party.bus.signal('settled', { mark });
        await eventually(() => expect(got).toContain(mark), { timeoutMs: 1_000 });
        await eventually(() => expect(heard).toContainEqual({ mark }), { timeoutMs: 300 });
      },
      { timeoutMs: 20_000 },
    );

  it('hears and works again after every session was terminated, three times', async () => {
    for (let round = 0; round < 3; round += 1) {
      await admin.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      await bothWaysWork(round);
    }
  });

  it('notices a connection that went deaf, and listens on a new one', async () => {
    await bothWaysWork(1);
    link.freeze();
    await eventually(() => expect(party.bus.state).toBe('down'), { timeoutMs: 15_000 });
    link.cut();
    link.restore();
    await bothWaysWork(2);
  });

  it('delivers by its poll when no doorbell rings', async () => {
    await admin.query(`insert into bus_${namespace} (queue, body) values ('work', '{"n": 42}')`);
    await eventually(() => expect(got).toEqual([42]), { timeoutMs: 2_000 });
  });
});
