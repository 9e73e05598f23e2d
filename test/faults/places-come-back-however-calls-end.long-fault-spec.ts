import { eventually } from '../support/eventually.js';
import { fanOut, numbers } from '../support/fan-out.js';
import { Gate } from '../support/gate.js';
import { inModes } from '../support/in-every-mode.js';

const LIMIT = 2;
const LEASE_MS = 4_000;

inModes(
  ['services over RabbitMQ', 'services without a broker'],
  'the places of a destination',
  (stage) => {
    it('are never exceeded and come back, whether calls are cancelled, lost, out of time or failed with the rest', async () => {
      const { sink, engine } = stage;
      const { api } = engine;
      const gates = new Map<number, Gate>();
      const gateOf = (n: number): Gate => gates.get(n) ?? gates.set(n, new Gate()).get(n)!;
      sink.answer(async ({ path, body }) => {
        const { n } = JSON.parse(body) as { n: number };
        if (path === '/failing' && n === 0) return { status: 400, delayMs: 300 };
        await gateOf(n).pass();
        return {};
      });
      const destination = stage.name();
      await api.limit(destination, { maxConcurrency: LIMIT });
      const publish = async (path: string, parts: object = {}, node: object = {}) => {
        const name = stage.name();
        await api.publish(
          fanOut(name, `${sink.url}${path}`, {
            node: {
              destinations: [destination],
              timeout: '60s',
              retry: { maxAttempts: 2, initialDelay: '100ms' },
              ...node,
            },
            ...parts,
          }),
        );
        return name;
      };
      /** As many as may are under way again, and nobody has seen more. */
      const full = (calls: number, within = 5_000) =>
        eventually(
          async () => {
            expect(sink.calls.filter(({ path }) => path === '/held').length).toBeGreaterThanOrEqual(calls);
            expect(sink.inFlight).toBe(LIMIT);
            expect(await api.destination(destination)).toMatchObject({ inUse: LIMIT });
          },
          { timeoutMs: within },
        );
      const merge = { tolerateChildFailures: ['FAILED', 'CANCELLED'] };
      const { id } = await api.start(await publish('/held', { merge }), { items: numbers(20) });
      await full(2, 10_000);
      const running = async () => (await api.children(id, 'state=RUNNING')).map((child) => child.id);

      const [one] = await running();
      await api.act(one!, 'cancel');
      await full(3);
      const queued = (await api.children(id))[15]!;
      await api.act(queued.id, 'cancel');
      await full(3);
      const both = await eventually(async () => {
        const ids = await running();
        return ids.length === LIMIT && ids;
      });
      await Promise.all((both as string[]).map((child) => api.act(child, 'cancel')));
      await full(5);
      const calls = sink.calls.filter(({ path }) => path === '/held').length;
      expect(calls).toBe(5);

      // an executor that holds a place dies; its places are free when its lease is over
      const victims = engine.named('executor');
      for (const victim of victims) {
        await victim.kill();
        await victim.up().ready();
      }
      await full(6, LEASE_MS + 15_000);
      for (const gate of gates.values()) gate.open();
      sink.answer(async ({ path, body }) => {
        const { n } = JSON.parse(body) as { n: number };
        if (path === '/failing' && n === 0) return { status: 400, delayMs: 300 };
        if (path === '/slow' || path === '/failing')
          await new Promise((resolve) => setTimeout(resolve, 60_000).unref());
        return {};
      });
      expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ cancelled: 4, succeeded: 16 }] });

      // each runs out of its time
      const slow = await publish('/slow', { merge }, { timeout: '1s', retry: { maxAttempts: 1 } });
      expect(await api.run(slow, { items: numbers(6) })).toMatchObject({ fanOuts: [{ failed: 6 }] });

      // the first to fail ends the others
      const failing = await publish('/failing', { merge: { failFast: true } });
      expect(await api.run(failing, { items: numbers(10) })).toMatchObject({ state: 'FAILED' });
      await eventually(async () => expect(await api.destination(destination)).toMatchObject({ inUse: 0, waiting: 0 }), {
        timeoutMs: 15_000,
      });
      const quick = await publish('/quick');
      expect(await api.run(quick, { items: numbers(20) })).toMatchObject({ state: 'SUCCEEDED' });
      expect(sink.mostInFlight).toBeLessThanOrEqual(LIMIT);
      expect(await api.destination(destination)).toMatchObject({ inUse: 0 });
    }, 170_000);
  },
  () =>
    Promise.resolve({
      executors: 2,
      env: { EXECUTOR_LEASE_MS: String(LEASE_MS), EXECUTOR_HEARTBEAT_MS: '1000' },
    }),
);
