import { eventually } from '../support/eventually.js';
import { fanOut, numbers } from '../support/fan-out.js';
import { inModes } from '../support/in-every-mode.js';
import type { SinkCall } from '../support/sink.js';

inModes(['services over RabbitMQ', 'standalone'], 'an outcome', (stage) => {
  const noticesOf = async (id: string) =>
    (await stage.engine.api.need(200, 'GET', `/v1/executions/${id}/notices`)).items as {
      id: string;
      on: string;
      state: string;
      attempts: number;
      url: string;
      error: { class: string; status?: number } | null;
    }[];
  const told = (): SinkCall[] => stage.sink.calls.filter(({ path }) => path.startsWith('/told'));
  const bodies = () => told().map(({ body }) => JSON.parse(body));
  const isDelivered = (id: string, count: number) =>
    eventually(async () => {
      const notices = await noticesOf(id);
      expect(notices.map(({ state }) => state)).toEqual(Array(count).fill('DELIVERED'));
    });

  it.each([true, false])(
    'of forty failures is one notice, and a second after a redrive that failed again, with fail-fast %s',
    async (failFast) => {
      const { engine, sink } = stage;
      let isMended = false;
      sink.answer(({ path, body }) =>
        path === '/' && !isMended && (JSON.parse(body) as { n: number }).n < 40 ? { status: 400 } : {},
      );
      const name = stage.name();
      await engine.api.publish({
        ...fanOut(name, `${sink.url}/`, { merge: { failFast } }),
        notify: [
          {
            on: ['FAILED', 'SUCCEEDED'],
            url: `${sink.url}/told/\${labels.team}`,
            headers: { 'x-run': '${execution.id}' },
          },
          { on: ['CANCELLED'], url: `${sink.url}/told/cancelled` },
        ],
      });
      const { id } = await engine.api.start(name, { items: numbers(100) }, { labels: { team: 'a b' } });
      expect(await engine.api.settled(id)).toMatchObject({ state: 'FAILED' });
      await isDelivered(id, 1);
      expect(told()).toHaveLength(1);
      expect(told()[0]).toMatchObject({ method: 'POST', path: '/told/a%20b' });
      expect(told()[0]!.headers).toMatchObject({
        'idempotency-key': `${id}-1`,
        'content-type': 'application/json',
        'x-run': id,
      });
      const [first] = bodies();
      expect(first).toMatchObject({
        id: `${id}-1`,
        execution: id,
        pipeline: { name, version: 1 },
        outcome: 'FAILED',
        round: 1,
        error: { class: 'TOLERANCE_EXCEEDED' },
        fanOuts: [{ nodeId: 'fan', total: 100 }],
      });
      expect(first.at).toMatch(/^\d{4}-.*Z$/);
      if (!failFast) expect(first.fanOuts[0]).toMatchObject({ succeeded: 60, failed: 40, cancelled: 0 });

      await eventually(async () => expect((await engine.api.execution(id)).openDescendants).toBe(0));
      const { failed } = (await engine.api.execution(id)).fanOuts[0]!;
      if (!failFast) expect(failed).toBe(40);
      expect(await engine.api.children(id, 'state=FAILED')).toHaveLength(failed);
      await engine.api.redrive(id, { state: ['FAILED', 'CANCELLED'] });
      expect(await engine.api.settled(id)).toMatchObject({ state: 'FAILED' });
      await isDelivered(id, 2);
      expect(bodies().map(({ outcome, round }) => [outcome, round])).toEqual([
        ['FAILED', 1],
        ['FAILED', 2],
      ]);

      isMended = true;
      await eventually(async () => expect((await engine.api.execution(id)).openDescendants).toBe(0));
      await engine.api.redrive(id, { state: ['FAILED', 'CANCELLED'] });
      expect(await engine.api.settled(id)).toMatchObject({ state: 'SUCCEEDED' });
      await isDelivered(id, 3);
      expect(bodies().at(-1)).toMatchObject({
        id: `${id}-3`,
        outcome: 'SUCCEEDED',
        round: 3,
        error: null,
        fanOuts: [{ nodeId: 'fan', total: 100, succeeded: 100, failed: 0, cancelled: 0 }],
      });
    },
  );

  it('stays what it is when nobody takes its notice, is told again after a wait that was asked for, and only by the top', async () => {
    const { engine, sink } = stage;
    const later = new Map<string, number>();
    sink.answer(({ path, headers }) => {
      if (path === '/told/busy') {
        const key = String(headers['idempotency-key']);
        later.set(key, (later.get(key) ?? 0) + 1);
        return later.get(key)! < 3 ? { status: 429, headers: { 'retry-after': '1' } } : {};
      }
      return path === '/told/gone' ? { status: 410, body: '{"why":"gone"}' } : {};
    });
    const child = stage.name();
    await engine.api.publish({
      name: child,
      nodes: [{ id: 'say', type: 'TRANSFORM', config: { output: 1 } }],
      notify: [{ on: ['SUCCEEDED'], url: `${sink.url}/told/child` }],
    });
    const name = stage.name();
    await engine.api.publish({
      name,
      nodes: [{ id: 'fan', type: 'SPAWNER', config: { items: '${input.items}', pipeline: child } }],
      notify: [
        { on: ['SUCCEEDED'], url: `${sink.url}/told/gone` },
        { on: ['SUCCEEDED', 'FAILED'], url: `${sink.url}/told/busy` },
        { on: ['FAILED'], url: `${sink.url}/told/failed` },
        { on: ['SUCCEEDED'], url: 'http://${input.host}/' },
      ],
    });
    const { id } = await engine.api.start(name, { items: [1, 2, 3], host: '10.1.2.3' });
    expect(await engine.api.settled(id)).toMatchObject({ state: 'SUCCEEDED' });
    await eventually(async () =>
      expect(await noticesOf(id)).toMatchObject([
        { id: `${id}-1`, on: 'SUCCEEDED', state: 'FAILED', attempts: 1, error: { class: 'PERMANENT', status: 410 } },
        { id: `${id}-1`, on: 'SUCCEEDED', state: 'DELIVERED', attempts: 3, error: null },
        { id: `${id}-1`, url: 'http://${input.host}/', state: 'FAILED', error: { code: 'HTTP.ADDRESS_REFUSED' } },
      ]),
    );
    expect(await engine.api.execution(id)).toMatchObject({ state: 'SUCCEEDED', error: null });
    expect(told().map(({ path }) => path.slice(6))).toEqual(expect.not.arrayContaining(['child', 'failed']));
  });

  it('whose hook names a secret that nobody has waits, and its notices say for which', async () => {
    const { engine, sink } = stage;
    const name = stage.name();
    await engine.api.publish({
      name,
      nodes: [{ id: 'a', type: 'TRANSFORM', config: { output: 1 } }],
      retention: { succeeded: '1ms' },
      notify: [
        { on: ['SUCCEEDED'], url: `${sink.url}/told`, headers: { authorization: 'Bearer ${secrets.NOBODY_HAS_IT}' } },
        { on: ['SUCCEEDED'], url: `${sink.url}/told` },
      ],
    });
    const { id } = await engine.api.start(name, {});
    await eventually(async () =>
      expect(await noticesOf(id)).toMatchObject([
        {
          state: 'PENDING',
          dueAt: expect.any(String),
          finishedAt: null,
          error: { code: 'SECRET.MISSING', secret: 'NOBODY_HAS_IT' },
        },
        { state: 'DELIVERED', error: null },
      ]),
    );
    expect(await engine.api.execution(id)).toMatchObject({ state: 'SUCCEEDED', error: null });
    // As if that had been the last time: retention, which waits for it, takes both along.
    await engine.query(
      `update notice set attempt = 101, due_at = now() where execution_id = $1 and state = 'pending'`,
      [id],
    );
    await eventually(async () => expect((await engine.api.call('GET', `/v1/executions/${id}`)).status).toBe(404));
    expect(told()).toHaveLength(1);
  });

  it('that an operator or a deadline makes is told too', async () => {
    const { engine, sink } = stage;
    const waiting = async (more: object) => {
      const name = stage.name();
      await engine.api.publish({
        name,
        nodes: [{ id: 'hold', type: 'WAIT', config: { duration: '1h' } }],
        retention: { failed: '1d' },
        notify: [{ on: ['CANCELLED', 'FAILED'], url: `${sink.url}/told` }],
        ...more,
      });
      return (await engine.api.start(name, {})).id;
    };
    const destination = stage.name();
    await engine.api.limit(destination, { maxConcurrency: 1 });
    await engine.api.need(200, 'POST', `/v1/destinations/${destination}/pause`);
    const config = { url: `${sink.url}/call`, method: 'GET' };
    const calling = { nodes: [{ id: 'call', type: 'HTTP', config, destinations: [destination] }] };
    const [cancelled, late, held] = [await waiting({}), await waiting({ timeout: '100ms' }), await waiting(calling)];
    await engine.api.act(cancelled, 'cancel');
    const laidOut = `select from comeback where execution_id = $1`;
    await eventually(async () => (await engine.query(laidOut, [held])).length === 1);
    await engine.api.need(200, 'POST', `/v1/destinations/${destination}/cancel`);
    await Promise.all([cancelled, late, held].map((id) => isDelivered(id, 1)));
    expect(new Map(bodies().map((body) => [body.execution, [body.outcome, body.error?.class]]))).toEqual(
      new Map([
        [cancelled, ['CANCELLED', 'CANCELLED']],
        [late, ['FAILED', 'TIMEOUT']],
        [held, ['CANCELLED', 'CANCELLED']],
      ]),
    );
  });
});
