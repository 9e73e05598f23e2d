import { migrate, openDatabase, PressureStore, type Database, type DeferredFanOut } from '@app/persistence';
import { silentLogger, SystemClock, SystemRandom } from '@app/runtime';
import { PressureSweep } from '../../../apps/orchestrator/src/sweeps/pressure.sweep.js';
import { freshDatabase } from '../../support/postgres.js';

describe('pressure', () => {
  let database: Database;
  let drop: () => Promise<void>;
  const store = new PressureStore();
  beforeAll(async () => {
    const fresh = await freshDatabase();
    drop = fresh.drop;
    const settings = {
      url: fresh.url,
      schema: 'fanfold',
      poolMax: 2,
      applicationName: 'pressure',
      use: 'path' as const,
    };
    await migrate(settings);
    database = await openDatabase(settings, () => undefined);
  });
  afterAll(async () => {
    await database.close();
    await drop();
  });

  const observer = (): PressureSweep => {
    const limits = { storageBytes: null, payloadBytes: 100, lagMs: null };
    const wake = (_: readonly DeferredFanOut[]) => Promise.resolve();
    const bus = { state: 'up' as const };
    const [clock, random] = [new SystemClock(), new SystemRandom()];
    return new PressureSweep(database, store, bus, limits, clock, random, silentLogger, wake, () => undefined);
  };
  const kinds = async () => (await store.inForce(database.any)).map(({ kind }) => kind);

  it('is what any observer measured last: nobody tells again what he measured before', async () => {
    const [first, second] = [observer(), observer()];
    await database.pool.query(
      `insert into dataset (id, name, format, bytes) values (gen_random_uuid(), 'large', 'jsonl', 1000)`,
    );
    await first.runOnce();
    expect(await kinds()).toEqual(['PAYLOAD_BUDGET']);
    const [before] = await store.inForce(database.any);
    await database.pool.query(
      `insert into pressure (kind, source, until, detail) values ('BROKER_ALARM', 'dead', now() - interval '1 s', '')`,
    );
    await second.runOnce();
    expect(await store.inForce(database.any)).toEqual([before]);
    await database.pool.query('delete from dataset');
    await observer().runOnce();
    expect(await kinds()).toEqual([]);
    await first.runOnce();
    expect((await database.pool.query('select from pressure')).rowCount).toBe(0);
  });
});
