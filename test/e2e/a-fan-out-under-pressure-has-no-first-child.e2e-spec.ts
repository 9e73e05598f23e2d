import { eventually } from '../support/eventually.js';
import { fanOut, numbers } from '../support/fan-out.js';
import { Gate } from '../support/gate.js';
import { inModes } from '../support/in-every-mode.js';

const payloadBudget = 400_000;
const threshold = 50;
const window = 60;

inModes(
  ['standalone', 'services over RabbitMQ', 'services without a broker'],
  'a fan-out under pressure',
  (stage) => {
    const waits = (id: string, reason: string) =>
      eventually(async () =>
        expect((await stage.engine.api.execution(id)).fanOuts[0]).toMatchObject({
          deferredReason: reason,
          deferredUntil: expect.any(String),
          total: 300,
          spawned: 0,
          verdict: 'OPEN',
        }),
      );

    it('has no first child while an operator holds it back, says so, and begins by itself when that is lifted', async () => {
      const { sink, engine } = stage;
      const { api } = engine;
      const name = stage.name();
      await api.publish({
        ...fanOut(name, `${sink.url}/`),
        notify: [{ on: ['DEFERRED', 'SUCCEEDED'], url: `${sink.url}/told` }],
      });
      await api.need(200, 'PUT', '/v1/pressure', { reason: 'the archive is being moved' });
      const { id } = await api.start(name, { items: numbers(300) });
      await waits(id, 'OPERATOR');
      expect(await api.need(200, 'GET', `/v1/executions/${id}/why`)).toMatchObject({
        reason: 'BACKPRESSURE',
        detail: 'OPERATOR: the archive is being moved',
      });
      expect(await api.need(200, 'GET', '/v1/pressure')).toMatchObject({
        items: [{ kind: 'OPERATOR', detail: 'the archive is being moved' }],
      });
      expect((await api.need(200, 'GET', `/v1/executions/${id}/children`)).items).toEqual([]);
      await api.need(202, 'DELETE', '/v1/pressure');
      const done = await api.settled(id);
      expect(done).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 300, deferredReason: null }] });
      const told = (await api.events(id)).filter(({ type }) => /^fanout\.(deferred|resumed)$/.test(type));
      expect(told.map(({ type, data }) => [type, data.reason])).toEqual([
        ['fanout.deferred', 'OPERATOR'],
        ['fanout.resumed', 'OPERATOR'],
      ]);
      await eventually(() => {
        const notices = sink.calls.filter(({ path }) => path === '/told').map(({ body }) => JSON.parse(body));
        expect(notices.map(({ outcome, round }) => [outcome, round])).toEqual([
          ['DEFERRED', 1],
          ['SUCCEEDED', 2],
        ]);
      });
    });

    it('waits while payloads are over their budget, and begins when a dataset is deleted', async () => {
      const { sink, engine } = stage;
      const { api } = engine;
      const name = stage.name();
      await api.publish(fanOut(name, sink.url));
      const large = await api.upload('large', 'ndjson', `${JSON.stringify('x'.repeat(1_000))}\n`.repeat(500));
      await eventually(async () =>
        expect((await api.need(200, 'GET', '/v1/pressure')).items).toMatchObject([{ kind: 'PAYLOAD_BUDGET' }]),
      );
      const { id } = await api.start(name, { items: numbers(300) });
      await waits(id, 'PAYLOAD_BUDGET');
      await api.need(202, 'DELETE', `/v1/datasets/${large.id}`);
      expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 300 }] });
    });

    it('is not held back where an upstream node is to pause instead: that starts nothing until pressure is gone', async () => {
      const { sink, engine } = stage;
      const { api } = engine;
      const name = stage.name();
      const gate = new Gate();
      sink.answer(async ({ path }) => (path === '/read' ? (await gate.pass(), {}) : {}));
      const reads = () => sink.calls.filter(({ path }) => path === '/read').length;
      await api.publish(
        fanOut(name, `${sink.url}/item`, {
          before: [{ id: 'read', type: 'HTTP', config: { method: 'POST', url: `${sink.url}/read` } }],
          edges: [{ from: 'read', to: 'fan' }],
          spawner: { onPressure: { pause: 'read' } },
        }),
      );
      await api.publish({
        name: `${name}-other`,
        nodes: [{ id: 'read', type: 'HTTP', config: { method: 'POST', url: `${sink.url}/other` } }],
      });
      const reading = await api.start(name, { items: numbers(300) });
      await eventually(() => expect(reads()).toBe(1));
      await api.need(200, 'PUT', '/v1/pressure', { reason: 'the archive is being moved' });
      const held = await Promise.all(numbers(5).map(() => api.start(name, { items: numbers(2) })));
      for (const { id } of held)
        await eventually(async () =>
          expect(await api.need(200, 'GET', `/v1/executions/${id}/why`)).toMatchObject({
            reason: 'BACKPRESSURE',
            detail: 'OPERATOR: the archive is being moved',
            nodeId: 'read',
          }),
        );
      gate.open();
      // What has read goes on, and so does whoever has not asked to pause.
      expect(await api.settled(reading.id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 300 }] });
      expect(await api.run(`${name}-other`, {})).toMatchObject({ state: 'SUCCEEDED' });
      expect(reads()).toBe(1);
      await api.need(202, 'DELETE', '/v1/pressure');
      for (const { id } of held)
        expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 2 }] });
      expect(reads()).toBe(6);
    });

    it('starts no more children while too much of what it has started waits, says so, and goes on by itself', async () => {
      const { sink, engine } = stage;
      const { api } = engine;
      const name = stage.name();
      const narrow = `${name}-narrow`;
      const gate = new Gate();
      sink.answer(async ({ path }) => (path === '/second' ? (await gate.pass(), {}) : {}));
      await api.need(201, 'PUT', `/v1/destinations/${narrow}`, { maxConcurrency: 1 });
      const post = (path: string) => ({ type: 'HTTP', config: { method: 'POST', url: `${sink.url}${path}` } });
      await api.publish({
        name: `${name}-child`,
        nodes: [
          { id: 'first', ...post('/first') },
          { id: 'second', ...post('/second'), destinations: [narrow] },
        ],
        edges: [{ from: 'first', to: 'second' }],
      });
      await api.publish({
        name,
        nodes: [
          { id: 'fan', type: 'SPAWNER', config: { items: '${input.items}', pipeline: `${name}-child` } },
          { id: 'join', type: 'MERGE', config: {} },
        ],
        edges: [{ from: 'fan', to: 'join' }],
      });
      const { id } = await api.start(name, { items: numbers(1_000) });
      const last = async () => (await api.children(id)).at(-1)!;
      await eventually(async () =>
        expect(await api.need(200, 'GET', `/v1/executions/${(await last()).id}/why`)).toMatchObject({
          reason: 'BACKPRESSURE',
        }),
      );
      // Those that were handed out when it was told may all have begun, and what had ended by then may not have been settled.
      const { pending, running } = (await api.execution(id)).fanOuts[0]!;
      expect(running).toBeLessThan(threshold + 4 * window);
      expect(pending).toBeGreaterThan(700);
      await api.need(200, 'PUT', `/v1/destinations/${narrow}`, { maxConcurrency: 200 });
      gate.open();
      expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 1_000 }] });
    });
  },
  async () => ({
    env: {
      PAYLOAD_BUDGET_BYTES: String(payloadBudget),
      BACKLOG_THRESHOLD: String(threshold),
      ADMISSION_WINDOW: String(window),
    },
  }),
);
