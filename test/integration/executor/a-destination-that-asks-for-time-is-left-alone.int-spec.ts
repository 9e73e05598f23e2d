import { DestinationLimitStore } from '@app/persistence';
import { silentLogger, SystemClock } from '@app/runtime';
import { randomUUID } from 'node:crypto';
import { RateRenewal } from '../../../apps/executor/src/destinations/rate-renewal.js';
import type { ClaimedTask } from '../../../apps/executor/src/running/claimed-task.js';
import { begun } from '../../support/begun.js';
import { eventually } from '../../support/eventually.js';
import { Sink } from '../../support/sink.js';
import { errorOf, Performing } from './performing.js';

interface Row {
  readonly name: string;
  readonly implicit: boolean;
  readonly ramp: number | null;
  readonly waitMs: number | null;
}

describe('a destination', () => {
  let performing: Performing;
  let sink: Sink;
  let host: string;
  beforeAll(async () => {
    performing = await Performing.start();
  });
  beforeEach(async () => {
    await performing.database.pool.query('truncate destination, destination_holder, task cascade');
    performing.configure({});
    sink = await Sink.start();
    host = new URL(sink.url).host;
  });
  afterEach(() => sink.close());
  afterAll(() => performing.stop());

  /** Without what tests before this one left to be written. */
  const rows = async (): Promise<Row[]> =>
    (
      await performing.database.pool.query<Row>(
        `select name, implicit, ramp, (extract(epoch from throttled_until - now()) * 1000)::float8 as "waitMs" from destination where name = $1 or name not like 'host:%' order by name`,
        [`host:${host}`],
      )
    ).rows;
  const sql = (text: string, values: unknown[] = []) => performing.database.pool.query(text, values);
  const call = (rest: Record<string, unknown> = {}) => performing.http({ url: sink.url }, {}, rest);
  const busy = (retryAfter?: string, status = 429) =>
    sink.answer(() => ({
      status,
      body: 'slow down',
      ...(retryAfter === undefined ? {} : { headers: { 'retry-after': retryAfter } }),
    }));

  it.each([
    ['5', 429, 5_000],
    ['0', 429, 0],
    ['120', 503, 120_000],
    ['7200', 429, 3_600_000],
    ['99999999999', 429, 3_600_000],
  ])('that says Retry-After: %s with %i is called again after %i ms, uncharged', async (header, status, waitMs) => {
    busy(header, status);
    const outcome = await call();
    expect(outcome).toMatchObject({ kind: 'snoozed', waitMs, error: { status, body: 'slow down', destination: host } });
    expect(sink.calls).toHaveLength(1);
  });

  it('that was paused meanwhile is not called by who comes late and asks again', async () => {
    const { rows } = await performing.database.pool.query<{ id: number }>(
      `insert into destination (name, rate) values ('llm', '{"limit":100,"per":"1s"}') returning id`,
    );
    const { database } = performing;
    const renewal = new RateRenewal(database, new DestinationLimitStore(), new SystemClock(), silentLogger);
    const late = { units: [{ destination: rows[0]!.id, units: 1 }] } as unknown as ClaimedTask;
    expect(await renewal.renew(late)).toEqual(expect.any(Number));
    await sql('update destination set paused_at = now()');
    expect(await renewal.renew(late)).toBeNull();
    await sql('update destination set paused_at = null');
    expect(await renewal.renew(late)).toEqual(expect.any(Number));
  });

  it('may name a date', async () => {
    busy(new Date(Date.now() + 5_000).toUTCString(), 503);
    const { waitMs } = (await call()) as { waitMs: number };
    expect(waitMs).toBeGreaterThan(3_000);
    expect(waitMs).toBeLessThanOrEqual(5_000);
  });

  it.each(['', '-5', '1.5', 'soon', 'Thu, 01 Jan 1970 00:00:00 GMT', undefined])(
    'that says %j with 429 gets the normal backoff',
    async (header) => {
      busy(header);
      const retry = { initialDelay: '10s', jitter: 0 };
      expect(await call({ retry })).toMatchObject({ kind: 'snoozed', waitMs: 10_000 });
      expect(await performing.http({ url: sink.url }, { attempt: 3 }, { retry })).toMatchObject({
        kind: 'snoozed',
        waitMs: 40_000,
      });
    },
  );

  it('waits no longer than the longest delay of the node', async () => {
    busy('600');
    expect(await call({ retry: { maxDelay: '30s' } })).toMatchObject({ kind: 'snoozed', waitMs: 30_000 });
  });

  it.each([500, 502, 408, 404, 503])('is not heeded with %i', async (status) => {
    busy(status === 503 ? 'soon' : '5', status);
    expect((await call()).kind).toBe('failed');
    expect(await rows()).toEqual([]);
  });

  it('that nobody registered gets a row of its own: it waits, and starts again at one call', async () => {
    busy('30');
    await Promise.all([call(), call(), call()]);
    const [row, ...others] = await eventually(async () => {
      const found = await rows();
      expect(found).toHaveLength(1);
      return found;
    });
    expect(others).toEqual([]);
    expect(row).toMatchObject({ name: `host:${host}`, implicit: true, ramp: 1 });
    expect(row!.waitMs).toBeGreaterThan(28_000);
  });

  it.each([
    ['with its port', () => host],
    ['without a port', () => '127.0.0.1'],
  ])(
    'that is registered %s is the one that waits, and no wait makes a longer one shorter',
    async (_how, registered) => {
      await sql(
        `insert into destination (name, host, max_concurrency) values ('ledger', $1, 8), ('other', 'other.example', 8)`,
        [registered()],
      );
      busy('60');
      await call();
      await eventually(async () => expect((await rows())[0]).toMatchObject({ name: 'ledger', ramp: 1 }));
      busy('2');
      await call();
      await call();
      const [ledger, other, ...more] = await rows();
      expect(more).toEqual([]);
      expect(ledger!.waitMs).toBeGreaterThan(55_000);
      expect(other).toMatchObject({ name: 'other', ramp: null, waitMs: null });
    },
  );

  it('doubles with its successes once the wait is over, up to its limit', async () => {
    await sql(
      `insert into destination (name, host, max_concurrency, ramp, throttled_until) values ('ledger', $1, 6, 1, now() - interval '1 second')`,
      [host],
    );
    const seen = new Set<number | null>();
    await eventually(async () => {
      expect((await call()).kind).toBe('succeeded');
      const ramp = (await rows())[0]!.ramp;
      seen.add(ramp);
      expect(ramp).toBeNull();
    });
    for (const ramp of seen) expect([1, 2, 4, null]).toContain(ramp);
    expect(seen.has(2) || seen.has(4)).toBe(true);
  });

  it('does not speed up by answers that come while it waits', async () => {
    await sql(
      `insert into destination (name, host, ramp, throttled_until) values ('ledger', $1, 1, now() + interval '1 hour')`,
      [host],
    );
    for (let i = 0; i < 5; i++) await call();
    busy('1');
    await call();
    await eventually(async () => expect((await rows())[0]!.ramp).toBe(1));
  });

  it('is slowed by a handler that names it', async () => {
    performing.handlers.handler('busy', () => {
      throw Object.assign(new Error('model is busy'), { fanfold: 'transient', retryAfter: '20s', destination: 'llm' });
    });
    const outcome = await performing.perform({ type: 'HANDLER', config: { handler: 'busy' } });
    expect(outcome).toMatchObject({
      kind: 'snoozed',
      waitMs: 20_000,
      error: { destination: 'llm', message: 'model is busy' },
    });
    await eventually(async () => expect(await rows()).toMatchObject([{ name: 'llm', ramp: 1 }]));
  });

  describe('whose host an item names', () => {
    /** A task as a claim leaves it, so that it may hold places. */
    const claimed = async (incarnation = 1): Promise<{ executionId: string; fencingToken: number }> => {
      const executionId = randomUUID();
      await sql(
        `insert into task (execution_id, node, state, attempt, fencing_token, incarnation) values ($1, 0, 'running', 1, 4, $2)`,
        [executionId, incarnation],
      );
      return { executionId, fencingToken: 4 };
    };
    const callItem = (given = {}) =>
      begun(
        (async () =>
          performing.http(
            { url: '${item.url}' },
            { item: JSON.stringify({ url: sink.url }), ...(await claimed()), ...given },
          ))(),
      );
    const holders = async () =>
      (await sql('select coalesce(sum(cardinality(ids)), 0)::int as n from destination_holder')).rows[0].n;

    it('is never called more often at once than it allows, by two executors together', async () => {
      await sql(`insert into destination (name, host, max_concurrency) values ('ledger', $1, 3)`, [host]);
      sink.answer(() => ({ delayMs: 50 }));
      const first = Array.from({ length: 20 }, () => callItem());
      performing.configure({});
      const outcomes = await Promise.all([...first, ...Array.from({ length: 20 }, () => callItem())]);
      expect(sink.mostInFlight).toBe(3);
      const refused = outcomes.filter((o) => o.kind === 'snoozed');
      expect(refused.length + sink.calls.length).toBe(40);
      for (const outcome of refused) expect(errorOf(outcome).code).toBe('DESTINATION.FULL');
      await eventually(async () => expect(await holders()).toBe(0));
    });

    it('lets its places go when calls fail or are aborted', async () => {
      await sql(`insert into destination (name, host, max_concurrency) values ('ledger', $1, 1)`, [host]);
      sink.answer(() => ({ drop: true }));
      expect(await callItem()).toMatchObject({ class: 'TRANSIENT' });
      await eventually(async () => expect(await holders()).toBe(0));
      sink.answer(() => new Promise(() => undefined));
      const controller = new AbortController();
      const outcome = callItem({ signal: controller.signal });
      await eventually(() => sink.calls.length === 2);
      expect(await holders()).toBe(1);
      controller.abort(new Error('cancelled'));
      expect((await outcome).kind).toBe('interrupted');
      await eventually(async () => expect(await holders()).toBe(0));
    });

    it('is not called while it waits', async () => {
      await sql(
        `insert into destination (name, implicit, ramp, throttled_until) values ($1, true, 1, now() + interval '90 seconds')`,
        [`host:${host}`],
      );
      const outcome = await callItem();
      expect(outcome).toMatchObject({ kind: 'snoozed', error: { code: 'DESTINATION.THROTTLED' } });
      expect((outcome as { waitMs: number }).waitMs).toBeGreaterThan(80_000);
      expect(sink.calls).toHaveLength(0);
    });

    it('is not called by an executor that lost the task', async () => {
      await sql(`insert into destination (name, host, max_concurrency) values ('ledger', $1, 5)`, [host]);
      expect((await callItem({ fencingToken: 3 })).kind).toBe('snoozed');
      expect(sink.calls).toHaveLength(0);
      expect(await holders()).toBe(0);
    });

    it('counts a call that still runs beside the next claim of the same task', async () => {
      await sql(`insert into destination (name, host, max_concurrency) values ('ledger', $1, 2)`, [host]);
      const answers: (() => void)[] = [];
      sink.answer(() => new Promise((resolve) => answers.push(() => resolve({}))));
      const { executionId } = await claimed();
      const before = callItem({ executionId, fencingToken: 4 });
      await eventually(() => sink.calls.length === 1);
      await sql(`update task set fencing_token = 5, incarnation = 2, attempt = 2 where execution_id = $1`, [
        executionId,
      ]);
      const after = callItem({ executionId, fencingToken: 5 });
      await eventually(() => sink.calls.length === 2);
      expect(await holders()).toBe(2);
      expect(errorOf(await callItem()).code).toBe('DESTINATION.FULL');
      answers[0]!();
      expect((await before).kind).toBe('succeeded');
      await eventually(async () => expect(await holders()).toBe(1));
      answers[1]!();
      expect((await after).kind).toBe('succeeded');
      await eventually(async () => expect(await holders()).toBe(0));
      expect(sink.mostInFlight).toBe(2);
    });

    it('is called without a place where nothing limits it', async () => {
      expect((await callItem()).kind).toBe('succeeded');
      expect(await holders()).toBe(0);
    });
  });
});
