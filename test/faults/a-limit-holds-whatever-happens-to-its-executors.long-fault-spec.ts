import { eventually } from '../support/eventually.js';
import { fanOut, numbers } from '../support/fan-out.js';
import { inModes } from '../support/in-every-mode.js';
import { LimitInForce } from '../support/limit-in-force.js';

const CALL_MS = 1_000;
/** After a limit was lowered, calls that were claimed before it end: their way to the destination, and they themselves. */
const SETTLING_MS = CALL_MS + 300;
const SHARE = 0.8;
/** Six processes that start and end share the machine with what they do. */
const MOST = 0.6;

inModes(
  ['services without a broker', 'services over RabbitMQ'],
  'a destination limit',
  (stage) => {
    it('holds over three executors and two pipelines, through kills, standstills, errors and changes, and is used', async () => {
      const { engine, sink } = stage;
      const { api } = engine;
      const force = new LimitInForce();
      const set = async (limit: number, before: number) => {
        if (limit > before) force.is(limit);
        await api.limit('d', { maxConcurrency: limit });
        if (limit <= before) force.is(limit);
      };
      await set(4, 0);
      sink.answer((_call, index) => ({ delayMs: CALL_MS, ...((index * 7919) % 9 === 0 ? { status: 503 } : {}) }));
      const node = { destinations: ['d'], retry: { maxAttempts: 8, initialDelay: '200ms', backoff: 1 } };
      const names = [stage.name(), stage.name(), stage.name()] as const;
      await api.publish(fanOut(names[0], sink.url, { node }));
      await api.publish(fanOut(names[1], sink.url, { node }));
      // A step of its own that calls the same destination, beside its children.
      const http = { type: 'HTTP', config: { method: 'POST', url: sink.url, body: '${input}' }, ...node };
      await api.publish({ name: names[2], nodes: [{ id: 'direct', ...http }], edges: [] });
      const started = await Promise.all([
        api.start(names[0], { items: numbers(150) }),
        api.start(names[1], { items: numbers(140) }),
        ...numbers(10).map((input) => api.start(names[2], input)),
      ]);
      const reached = (calls: number) =>
        eventually(() => expect(sink.calls.length).toBeGreaterThanOrEqual(calls), { timeoutMs: 90_000, everyMs: 10 });
      const [victim, frozen] = engine.named('executor');
      await reached(40);
      await victim!.kill();
      await reached(70);
      await victim!.up().ready();
      await set(8, 4);
      await reached(130);
      frozen!.freeze();
      await reached(175);
      frozen!.thaw();
      await set(1, 8);
      await reached(190);
      await set(4, 1);
      await reached(290);
      const until = performance.now();
      const calmFrom = sink.calls[190]!.at;
      for (const { id } of started) expect((await api.settled(id, 90_000)).state).toBe('SUCCEEDED');
      const breaches = force.breaches(sink.changes, SETTLING_MS);
      const rounded = (share: number) => Math.round(share * 1_000) / 1_000;
      const shareAtLimit = rounded(force.shareAtLimit(sink.changes, until));
      const figures = {
        calls: sink.calls.length,
        mostInFlight: sink.mostInFlight,
        breaches: breaches.length,
        shareAtLimit,
        shareWhereNothingHappens: rounded(force.shareAtLimit(sink.changes, until, calmFrom)),
      };
      process.stderr.write(`limit 4, 8, 1, 4 over three executors: ${JSON.stringify(figures)}\n`);
      expect(breaches).toEqual([]);
      expect(sink.mostInFlight).toBe(8);
      expect(shareAtLimit).toBeGreaterThanOrEqual(SHARE);
      await eventually(async () => expect(await api.destination('d')).toMatchObject({ inUse: 0, waiting: 0 }));
    }, 300_000);

    it('holds, and is used most of the time, while three executors become six and then one', async () => {
      const { engine, sink } = stage;
      const { api } = engine;
      const force = new LimitInForce();
      const destination = stage.name();
      force.is(4);
      await api.limit(destination, { maxConcurrency: 4 });
      sink.answer(() => ({ delayMs: CALL_MS }));
      const name = stage.name();
      await api.publish(fanOut(name, sink.url, { node: { destinations: [destination] } }));
      const { id } = await api.start(name, { items: numbers(120) });
      const reached = (calls: number) =>
        eventually(() => expect(sink.calls.length).toBeGreaterThanOrEqual(calls), { timeoutMs: 90_000, everyMs: 10 });
      await reached(10);
      for (let more = 0; more < 3; more++) await engine.add('executor');
      await reached(70);
      const [, ...others] = engine.named('executor').filter((one) => one.running);
      expect(others).toHaveLength(5);
      await Promise.all(others.map((one) => one.stop()));
      await reached(116);
      const until = performance.now();
      const done = await api.settled(id, 90_000);
      expect(done).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 120 }] });
      const shareAtLimit = force.shareAtLimit(sink.changes, until);
      process.stderr.write(`limit 4 over three, six and one executor: ${JSON.stringify({ shareAtLimit })}\n`);
      expect(force.breaches(sink.changes, SETTLING_MS)).toEqual([]);
      expect(sink.calls).toHaveLength(120);
      expect(shareAtLimit).toBeGreaterThanOrEqual(MOST);
    }, 170_000);
  },
  async () => ({
    executors: 3,
    executorEnv: { EXECUTOR_LEASE_MS: '1500', EXECUTOR_HEARTBEAT_MS: '300' },
  }),
);
