import { eventually } from '../support/eventually.js';
import { Gate } from '../support/gate.js';
import { inEveryMode, inModes } from '../support/in-every-mode.js';

const chain = (name: string, wait: object): object => ({
  name,
  nodes: [
    { id: 'before', type: 'TRANSFORM', config: { output: '${input}' } },
    { id: 'pause', type: 'WAIT', config: wait },
    { id: 'after', type: 'TRANSFORM', config: { output: { after: '${nodes.before.output.n}' } } },
  ],
  edges: [
    { from: 'before', to: 'pause' },
    { from: 'pause', to: 'after' },
  ],
});

const nodeTimes = (view: object): Record<string, { state: string; startedAt: string; finishedAt: string }> =>
  Object.fromEntries((view as { nodes: { id: string }[] }).nodes.map((node) => [node.id, node])) as never;

inEveryMode('a wait', (stage) => {
  it('ends when its duration is over, and says until when it waits', async () => {
    const { api } = stage.engine;
    const name = stage.name();
    await api.publish(chain(name, { duration: '${input.time}' }));
    const { id } = await api.start(name, { n: 7, time: '1500ms' });
    const why = await eventually(async () => {
      const told = await api.need(200, 'GET', `/v1/executions/${id}/why`);
      return told.nodeId === 'pause' && told;
    });
    expect(why).toMatchObject({ reason: 'WAITING_FOR', until: expect.stringMatching(/Z$/) });
    const done = await api.settled(id);
    expect(done).toMatchObject({ state: 'SUCCEEDED', output: { after: 7 } });
    const { pause } = nodeTimes(done);
    expect(Date.parse(pause!.finishedAt) - Date.parse(pause!.startedAt)).toBeGreaterThanOrEqual(1_500);
    expect(await api.attempts(id)).toEqual([]);
    expect(await stage.engine.query('select * from timer where execution_id = $1', [id])).toEqual([]);
  });

  it('until a moment that has passed is over at once', async () => {
    const { api } = stage.engine;
    const name = stage.name();
    await api.publish(chain(name, { until: '${input.moment}' }));
    expect((await api.run(name, { n: 1, moment: '2001-02-03T04:05:06+01:00' })).state).toBe('SUCCEEDED');
  });

  it.each([
    ['duration', { n: 1, value: '3 fortnights' }],
    ['duration', { n: 1, value: '4000d' }],
    ['until', { n: 1, value: 'tomorrow' }],
    ['until', { n: 1, value: '2999-01-01T00:00:00Z' }],
    ['until', { n: 1, value: 12 }],
  ])('fails readably for a bad %s at run time: %j', async (field, input) => {
    const { api } = stage.engine;
    const name = stage.name();
    await api.publish(chain(name, { [field]: '${input.value}' }));
    expect(await api.run(name, input)).toMatchObject({
      state: 'FAILED',
      error: { class: 'PERMANENT', code: 'EXPRESSION.FAILED', nodeId: 'pause', path: `nodes[1].config.${field}` },
    });
  });

  it('of many children holds no slot, and other work goes by', async () => {
    const { api } = stage.engine;
    const { sink } = stage;
    const name = stage.name();
    await api.publish({
      name,
      nodes: [
        {
          id: 'fan',
          type: 'SPAWNER',
          config: { items: '${input.items}', node: { type: 'WAIT', config: { duration: '${item}' } } },
        },
      ],
    });
    const { id } = await api.start(name, { items: Array(300).fill('30d') });
    await eventually(async () =>
      expect(await api.execution(id)).toMatchObject({ fanOuts: [{ spawned: 300, running: 300 }] }),
    );
    const other = stage.name();
    await api.publish({
      name: other,
      nodes: [{ id: 'call', type: 'HTTP', config: { method: 'POST', url: sink.url } }],
    });
    expect((await api.run(other, {})).state).toBe('SUCCEEDED');
    await api.act(id, 'cancel');
    await eventually(async () =>
      expect(await api.execution(id)).toMatchObject({ state: 'CANCELLED', fanOuts: [{ cancelled: 300 }] }),
    );
    expect(await stage.engine.query('select id from timer where root_id = $1', [id])).toEqual([]);
  });

  it('that falls due during a pause takes effect at resume', async () => {
    const { api } = stage.engine;
    const name = stage.name();
    await api.publish({
      name,
      nodes: [
        {
          id: 'fan',
          type: 'SPAWNER',
          config: { items: '${input.items}', node: { type: 'WAIT', config: { duration: '1s' } } },
        },
        { id: 'own', type: 'WAIT', config: { duration: '1s' } },
      ],
    });
    const { id } = await api.start(name, { items: [1, 2] });
    await eventually(async () => expect(await api.execution(id)).toMatchObject({ fanOuts: [{ running: 2 }] }));
    expect((await api.act(id, 'pause')).state).toBe('PAUSED');
    await eventually(async () =>
      expect(await stage.engine.query('select id from timer where root_id = $1 and held', [id])).toHaveLength(3),
    );
    expect(await api.execution(id)).toMatchObject({ state: 'PAUSED', fanOuts: [{ running: 2, succeeded: 0 }] });
    await api.act(id, 'resume');
    expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 2 }] });
  });

  it('is ended by a cancel', async () => {
    const { api } = stage.engine;
    const name = stage.name();
    await api.publish(chain(name, { duration: '${input.time}' }));
    const { id } = await api.start(name, { n: 1, time: '20d' });
    await eventually(async () => expect(nodeTimes(await api.execution(id)).pause!.state).toBe('WAITING'));
    expect((await api.act(id, 'cancel')).state).toBe('CANCELLED');
    expect(await stage.engine.query('select id from timer where execution_id = $1', [id])).toEqual([]);
  });
});

inModes(
  ['services without a broker'],
  'a wait through the loss of every orchestrator',
  (stage) => {
    it('ends when it is due', async () => {
      const { engine } = stage;
      const { api } = engine;
      const name = stage.name();
      await api.publish(chain(name, { duration: '2s' }));
      const { id } = await api.start(name, { n: 3 });
      await eventually(async () => expect(nodeTimes(await api.execution(id)).pause!.state).toBe('WAITING'));
      for (const orchestrator of engine.named('orchestrator')) await orchestrator.kill();
      await engine.add('orchestrator');
      expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', output: { after: 3 } });
    });

    it('of months, of years or until the next century does not end early; one of no time is over once', async () => {
      const { engine, sink } = stage;
      const { api } = engine;
      const gate = new Gate();
      sink.answer(async () => {
        await gate.pass();
        return {};
      });
      const waits = {
        month: { duration: '30d' },
        year: { duration: '400d' },
        century: { until: '2100-01-01T00:00:00Z' },
      };
      const none = { zero: { duration: '0s' }, past: { until: '2001-01-01T00:00:00+02:00' } };
      const name = stage.name();
      await api.publish({
        name,
        nodes: [
          ...Object.entries({ ...waits, ...none }).map(([id, config]) => ({ id, type: 'WAIT', config })),
          { id: 'call', type: 'HTTP', config: { method: 'POST', url: sink.url }, timeout: '60d' },
        ],
      });
      const { id } = await api.start(name, {});
      await eventually(() => expect(gate.held).toBe(1));
      const timers = () =>
        engine.query<{ node: number; days: number; fired: boolean }>(
          `select node, round(extract(epoch from due_at - now()) / 86400)::integer as days, fired
           from timer where execution_id = $1 order by node`,
          [id],
        );
      const days = Math.round((Date.parse('2100-01-01T00:00:00Z') - Date.now()) / 86_400_000);
      const still = [30, 400, days].map((n, node) => ({ node, days: n, fired: false }));
      expect(await timers()).toEqual(still);
      const [timeout] = await engine.query<{ days: number }>(
        `select round(extract(epoch from timeout_at - now()) / 86400)::integer as days from claim_batch where $1 = any (ids)`,
        [id],
      );
      expect(timeout).toEqual({ days: 60 });

      for (const orchestrator of engine.named('orchestrator')) await orchestrator.kill();
      await engine.add('orchestrator');
      // whoever fires timers now has fired a short one
      const other = stage.name();
      await api.publish({ ...chain(other, { duration: '1s' }), retention: { succeeded: '365d' } });
      const kept = await api.run(other, { n: 1 });
      expect(kept.state).toBe('SUCCEEDED');
      expect(await timers()).toEqual(still);
      expect(
        await engine.query(
          `select kind, round(extract(epoch from due_at - now()) / 86400)::integer as days from timer where execution_id = $1`,
          [kept.id],
        ),
      ).toEqual([{ kind: 'retention', days: 365 }]);
      const states = nodeTimes(await api.execution(id));
      for (const node of Object.keys(waits)) expect(states[node]!.state).toBe('WAITING');
      for (const node of Object.keys(none)) expect(states[node]!.state).toBe('SUCCEEDED');
      const told = (await api.events(id)).filter(({ type }) => type === 'node.succeeded').map(({ nodeId }) => nodeId);
      expect(told).toHaveLength(2);
      expect(new Set(told)).toEqual(new Set(Object.keys(none)));
      expect(states.call!.state).toBe('RUNNING');
      gate.open();
      await eventually(async () => expect(nodeTimes(await api.execution(id)).call!.state).toBe('SUCCEEDED'));
      await api.act(id, 'cancel');
      expect(await timers()).toEqual([]);
    });

    it.each(['-5s', 'tomorrow'])('of %s is refused when it is published', async (duration) => {
      const refused = await stage.engine.api.call('POST', '/v1/pipelines', chain(stage.name(), { duration }));
      expect(refused).toMatchObject({ status: 422, json: { errors: [{ path: 'nodes[1].config.duration' }] } });
    });
  },
  () => Promise.resolve({ executors: 1, orchestrators: 2 }),
);
