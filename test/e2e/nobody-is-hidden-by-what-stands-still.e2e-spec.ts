import { eventually } from '../support/eventually.js';
import { fanOut, numbers, quickRetry } from '../support/fan-out.js';
import { Gate } from '../support/gate.js';
import { inModes } from '../support/in-every-mode.js';

const slots = 5;

inModes(
  ['services over RabbitMQ', 'standalone', 'services without a broker'],
  'what stands still',
  (stage) => {
    /** A lone execution of two nodes, the first of which is tried twice. */
    const someoneElse = async (): Promise<void> => {
      const { api } = stage.engine;
      const name = stage.name();
      const post = { type: 'HTTP', config: { method: 'POST', url: `${stage.sink.url}/else?of=${name}` } };
      await api.publish({
        name,
        nodes: [
          { id: 'one', ...post, retry: quickRetry() },
          { id: 'two', ...post },
        ],
        edges: [{ from: 'one', to: 'two' }],
      });
      const startedAt = performance.now();
      expect(await api.run(name, {}, 15_000)).toMatchObject({ state: 'SUCCEEDED' });
      expect(performance.now() - startedAt).toBeLessThan(10_000);
      const fan = stage.name();
      await api.publish(fanOut(fan, `${stage.sink.url}/else`));
      expect(await api.run(fan, { items: numbers(20) }, 15_000)).toMatchObject({ state: 'SUCCEEDED' });
    };
    const answered = (gate?: Gate) => {
      const seen = new Set<string>();
      return async ({ path }: { path: string }) => {
        if (path === '/gated') await gate?.pass();
        if (path === '/bad') return { status: 400 };
        const first = path.startsWith('/else?') && !seen.has(path);
        seen.add(path);
        return { status: first ? 503 : 200 };
      };
    };

    it('in a window full of tasks for a destination that is paused then, delays nobody', async () => {
      const { sink, engine } = stage;
      const { api } = engine;
      const gate = new Gate();
      sink.answer(answered(gate));
      const name = stage.name();
      await api.need(201, 'PUT', `/v1/destinations/${name}`, { maxConcurrency: 10_000 });
      await api.publish(fanOut(name, `${sink.url}/gated`, { node: { destinations: [name] } }));
      const { id } = await api.start(name, { items: numbers(300) });
      await eventually(async () =>
        expect((await api.execution(id)).fanOuts[0]!.ready).toBeGreaterThanOrEqual(2 * slots),
      );
      await api.need(200, 'POST', `/v1/destinations/${name}/pause`);
      gate.open();
      await someoneElse();
      await api.need(200, 'POST', `/v1/destinations/${name}/resume`);
      expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 300 }] });
    });

    it('with thousands of tasks that came back under a pause, delays nobody', async () => {
      const { sink, engine } = stage;
      const { api } = engine;
      sink.answer(answered());
      const name = stage.name();
      await api.publish(fanOut(name, `${sink.url}/bad`));
      const { id } = await api.start(name, { items: numbers(2_600) });
      expect(await api.settled(id)).toMatchObject({ state: 'FAILED' });
      sink.answer(({ path }) => (path === '/bad' ? { delayMs: 100 } : answered()({ path })));
      await api.need(200, 'POST', `/v1/executions/${id}/redrive`, { state: ['FAILED'] });
      await api.act(id, 'pause');
      sink.answer(answered());
      await someoneElse();
      await api.act(id, 'cancel');
      await api.settled(id);
    });

    it('in more executions than a turn looks at, delays nobody', async () => {
      const { sink, engine } = stage;
      const { api } = engine;
      const gate = new Gate();
      sink.answer(answered(gate));
      const name = stage.name();
      await api.publish(fanOut(name, `${sink.url}/gated`, { spawner: { maxConcurrency: 1 } }));
      await api.need(200, 'PUT', '/v1/pressure', { reason: 'all are to begin together' });
      const started = await Promise.all(numbers(130).map(() => api.start(name, { items: numbers(3) })));
      await Promise.all(started.slice(0, 100).map(({ id }) => api.act(id, 'pause')));
      await api.need(202, 'DELETE', '/v1/pressure');
      await eventually(() =>
        expect(sink.calls.filter(({ path }) => path === '/gated').length).toBeGreaterThanOrEqual(slots),
      );
      gate.open();
      await someoneElse();
      await Promise.all(started.slice(0, 100).map(({ id }) => api.act(id, 'cancel')));
      for (const { id } of started.slice(100)) expect((await api.settled(id)).state).toBe('SUCCEEDED');
    });
  },
  async () => ({ executors: 1, executorEnv: { EXECUTOR_SLOTS: String(slots) } }),
);
