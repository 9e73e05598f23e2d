import fc from 'fast-check';
import { eventually } from '../support/eventually.js';
import { fanOut, quickRetry } from '../support/fan-out.js';
import { Gate } from '../support/gate.js';
import { inModes } from '../support/in-every-mode.js';

interface Reason {
  readonly reason: string;
  readonly detail: string;
  readonly destination?: string;
  readonly limit?: string;
  readonly until?: string;
}

/** Something that holds a child back, and that an operator can lift. */
interface Obstacle {
  readonly name: string;
  put(): Promise<unknown>;
  lift(): Promise<unknown>;
  isNamed(why: Reason): boolean;
}

/** Promised is a second; a machine that runs all tests at once is given two more. */
const promptMs = 3_000;

inModes(
  ['standalone', 'services over RabbitMQ', 'services without a broker'],
  'what why names',
  (stage) => {
    const why = (id: string): Promise<Reason> => stage.engine.api.need(200, 'GET', `/v1/executions/${id}/why`);
    const calls = (path: string) => stage.sink.calls.filter((call) => call.path === path);
    const isCalled = (path: string) => eventually(() => expect(calls(path)).toHaveLength(1), { timeoutMs: promptMs });
    /** Whatever runs through here has been looked at by everybody who could have started something else. */
    const canary = async (): Promise<void> => {
      const name = stage.name();
      await stage.engine.api.publish({
        name,
        nodes: [{ id: 'only', type: 'HTTP', config: { method: 'POST', url: `${stage.sink.url}/canary` } }],
      });
      expect(await stage.engine.api.run(name, {})).toMatchObject({ state: 'SUCCEEDED' });
    };

    it('is lifted alone and the child is called within a second; anything else lifted, and it is not', async () => {
      const { engine, sink } = stage;
      const { api } = engine;
      await fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(fc.constantFrom('pause', 'fanOutPause', 'places', 'rate', 'destinationPause', 'fanOutLimit'), {
            minLength: 1,
            maxLength: 4,
          }),
          fc.infiniteStream(fc.nat(100)),
          async (chosen, dice) => {
            const name = stage.name();
            const gate = new Gate();
            const [blocker, subject] = [`/${name}-blocker`, `/${name}-subject`];
            sink.answer(async ({ path }) => (path === blocker ? (await gate.pass(), {}) : {}));
            const put = (destination: string, limits: object) =>
              api.need([200, 201], 'PUT', `/v1/destinations/${name}-${destination}`, limits);
            await put('places', { maxConcurrency: 50 });
            await put('rate', { rate: { limit: 1_000, per: '1h' } });
            await api.publish(
              fanOut(name, `${sink.url}\${item}`, {
                http: { body: null },
                spawner: { maxConcurrency: 1 },
                node: { destinations: [`${name}-places`, `${name}-rate`] },
              }),
            );
            const { id } = await api.start(name, { items: [blocker, subject] });
            await isCalled(blocker);
            const child = (await api.children(id))[1]!.id;
            const fan = `/v1/executions/${id}/fan-outs/fan`;
            const limited = (destination: string, limit: string) => (w: Reason) =>
              w.reason === 'DESTINATION_LIMIT' && w.destination === `${name}-${destination}` && w.limit === limit;
            const all: Obstacle[] = [
              {
                name: 'pause',
                put: () => api.need(200, 'POST', `/v1/executions/${id}/pause`),
                lift: () => api.need(200, 'POST', `/v1/executions/${id}/resume`),
                isNamed: (w) => w.reason === 'PAUSED' && w.detail.includes(id) && !w.detail.includes('fan-out'),
              },
              {
                name: 'fanOutPause',
                put: () => api.need(200, 'POST', `${fan}/pause`),
                lift: () => api.need(200, 'POST', `${fan}/resume`),
                isNamed: (w) => w.reason === 'PAUSED' && w.detail.includes('fan-out'),
              },
              {
                name: 'places',
                put: () => put('places', { maxConcurrency: 1 }),
                lift: () => put('places', { maxConcurrency: 50 }),
                isNamed: limited('places', 'concurrency'),
              },
              {
                name: 'rate',
                put: () => put('rate', { rate: { limit: 1, per: '1h' } }),
                lift: () => put('rate', { rate: { limit: 1_000, per: '1h' } }),
                isNamed: limited('rate', 'rate'),
              },
              {
                name: 'destinationPause',
                put: () => api.need(200, 'POST', `/v1/destinations/${name}-places/pause`),
                lift: () => api.need(200, 'POST', `/v1/destinations/${name}-places/resume`),
                isNamed: (w) => w.reason === 'PAUSED' && w.detail.includes(`${name}-places`),
              },
              {
                name: 'fanOutLimit',
                put: () => api.need(200, 'PATCH', fan, { maxConcurrency: 1 }),
                lift: () => api.need(200, 'PATCH', fan, { maxConcurrency: 50 }),
                isNamed: (w) => w.reason === 'FAN_OUT_LIMIT',
              },
            ];
            const inForce = all.filter((obstacle) => chosen.includes(obstacle.name as (typeof chosen)[number]));
            for (const obstacle of inForce) await obstacle.put();
            if (!chosen.includes('fanOutLimit')) await all.at(-1)!.lift();
            try {
              while (inForce.length > 0) {
                await canary();
                expect(calls(subject)).toEqual([]);
                const told = await why(child);
                const named = inForce.findIndex((obstacle) => obstacle.isNamed(told));
                expect({ told, isInForce: named >= 0, of: inForce.map((o) => o.name) }).toMatchObject({
                  isInForce: true,
                });
                const others = inForce.filter((_, position) => position !== named);
                const next = others.length === 0 ? inForce[named]! : others[dice.next().value! % others.length]!;
                await next.lift();
                inForce.splice(inForce.indexOf(next), 1);
              }
              await isCalled(subject);
            } finally {
              for (const obstacle of inForce) await obstacle.lift();
              gate.open();
            }
            expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED' });
          },
        ),
        { numRuns: Number(process.env.FANFOLD_TEST_WHY_RUNS || 12), seed: 20_26 },
      );
    });

    it('is the time of a retry, the limit of a pipeline, a signal, an approval or an operator: each when it is lifted', async () => {
      const { engine, sink } = stage;
      const { api } = engine;
      const gate = new Gate();
      let broken = true;
      sink.answer(async ({ path }) => {
        if (path === '/blocker') await gate.pass();
        return { status: path === '/broken' && broken ? 500 : 200 };
      });
      const post = (path: string) => ({ type: 'HTTP', config: { method: 'POST', url: `${sink.url}${path}` } });
      const names = Array.from({ length: 5 }, () => stage.name());
      const [retried, narrow, signalled, approved, held] = names as [string, string, string, string, string];
      const until = async (id: string, reason: string, detail: string | RegExp = /./): Promise<Reason> =>
        eventually(async () => {
          const told = await why(id);
          expect(told).toMatchObject({ reason, detail: expect.stringMatching(detail) });
          return told;
        });

      await api.publish({
        name: retried,
        nodes: [{ id: 'only', ...post('/broken'), retry: { ...quickRetry(3), initialDelay: '2s' } }],
      });
      const again = await api.start(retried, {});
      const told = await until(again.id, 'RETRY_AT');
      broken = false;
      await eventually(() => expect(calls('/broken')).toHaveLength(2));
      const lateMs = Date.now() - new Date(told.until!).getTime();
      expect(lateMs).toBeGreaterThan(-100);
      expect(lateMs).toBeLessThan(promptMs);

      await api.publish({
        name: narrow,
        maxConcurrency: 1,
        nodes: [{ id: 'only', type: 'HTTP', config: { method: 'POST', url: '${input}' } }],
      });
      await api.start(narrow, `${sink.url}/blocker`);
      await isCalled('/blocker');
      const second = await api.start(narrow, `${sink.url}/second`);
      await until(second.id, 'CONCURRENCY');
      expect(calls('/second')).toEqual([]);
      gate.open();
      await isCalled('/second');

      await api.publish({
        name: signalled,
        nodes: [
          { id: 'go', type: 'SIGNAL', config: { name: 'go' } },
          { id: 'then', ...post('/signalled') },
        ],
        edges: [{ from: 'go', to: 'then' }],
      });
      const waiting = await api.start(signalled, {});
      await until(waiting.id, 'WAITING_FOR', /^the signal go$/);
      await api.need(202, 'POST', `/v1/executions/${waiting.id}/signals/go`, {});
      await isCalled('/signalled');

      const stages = [
        { items: 1, maxFailureRatio: 0 },
        { ratio: 1, approval: true },
      ];
      await api.publish(fanOut(approved, `${sink.url}/approved`, { spawner: { rollout: stages } }));
      const staged = await api.start(approved, { items: [1, 2] });
      await eventually(() => expect(calls('/approved')).toHaveLength(1));
      await until((await api.children(staged.id))[1]!.id, 'ROLLOUT_APPROVAL');
      await api.need(202, 'POST', `/v1/executions/${staged.id}/signals/fan`, {});
      await eventually(() => expect(calls('/approved')).toHaveLength(2), { timeoutMs: promptMs });

      await api.need(200, 'PUT', '/v1/pressure', { reason: 'tonight' });
      await api.publish(fanOut(held, `${sink.url}/held`));
      const deferred = await api.start(held, { items: [1] });
      await until(deferred.id, 'BACKPRESSURE');
      await canary();
      expect(calls('/held')).toEqual([]);
      await api.need(202, 'DELETE', '/v1/pressure');
      await isCalled('/held');
    });
  },
  // Pressure of this suite is nobody else's.
  async () => ({}),
);
