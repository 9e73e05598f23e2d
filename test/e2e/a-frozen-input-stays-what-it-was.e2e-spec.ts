import { eventually } from '../support/eventually.js';
import { quickRetry } from '../support/fan-out.js';
import { inModes } from '../support/in-every-mode.js';

inModes(['services without a broker', 'standalone'], 'what is looked up for items', (stage) => {
  const items = (count: number) => Array.from({ length: count }, (_, n) => ({ sku: `s${n}`, n }));
  /** A spawner that asks the sink for prices, and children that post what they were given. */
  const publish = async (spawner: object, freeze: object, child: object = {}) => {
    const name = stage.name();
    const { url } = stage.sink;
    await stage.engine.api.publish({
      name,
      nodes: [
        {
          id: 'fan',
          type: 'SPAWNER',
          config: {
            items: '${input.items}',
            freeze: {
              node: {
                type: 'HTTP',
                retry: quickRetry(3),
                config: { method: 'POST', url: `${url}/prices`, body: '${items}' },
              },
              ...freeze,
            },
            node: {
              type: 'HTTP',
              retry: { maxAttempts: 1 },
              config: {
                method: 'POST',
                url: `${url}/buy`,
                body: { n: '${item.n}', price: '${frozen.price}' },
                ...child,
              },
            },
            ...spawner,
          },
        },
        {
          id: 'join',
          type: 'MERGE',
          config: { tolerateChildFailures: ['FAILED'], failureTolerance: { maxFailureRatio: 0.9 } },
        },
      ],
      edges: [{ from: 'fan', to: 'join' }],
    });
    return name;
  };
  const asked = () =>
    stage.sink.calls
      .filter(({ path }) => path === '/prices')
      .map(({ body }) => JSON.parse(body) as { index: number; item: { sku: string; n: number } }[]);
  const bought = () =>
    stage.sink.calls
      .filter(({ path }) => path === '/buy')
      .map(({ body }) => body)
      .sort((a, b) => JSON.parse(a).n - JSON.parse(b).n);

  it('is asked for once a batch, and stays with the children through a redrive, whatever the source says then', async () => {
    const { engine, sink } = stage;
    let isGone = false;
    let isBroken = true;
    let failures = 0;
    sink.answer(({ path, body }) => {
      if (path === '/prices') {
        if (isGone) return { status: 404 };
        const wanted = JSON.parse(body) as { index: number }[];
        if (wanted[0]!.index === 100 && failures++ === 0) return { status: 503 };
        return { body: `[${wanted.map(({ index }) => `{"price": 1234567890123456789.${index}0}`).join(', ')}]` };
      }
      return { status: isBroken && (JSON.parse(body) as { n: number }).n % 2 === 0 ? 400 : 200 };
    });
    const name = await publish({}, { batch: 40 });
    const { id } = await engine.api.start(name, { items: items(230) });
    expect(await engine.api.settled(id)).toMatchObject({
      state: 'SUCCEEDED',
      fanOuts: [{ total: 230, failed: 115, succeeded: 115 }],
    });
    const batches = asked().map((batch) => [batch[0]!.index, batch.length]);
    expect(new Map(batches.map(([first, size]) => [first, size]))).toEqual(
      new Map([0, 40, 80, 120, 160, 200].map((first) => [first, first === 200 ? 30 : 40])),
    );
    expect(asked().find((batch) => batch[0]!.index === 0)![3]).toEqual({ index: 3, item: { sku: 's3', n: 3 } });
    const first = bought();
    expect(first[7]).toBe('{"n":7,"price":1234567890123456789.70}');
    isGone = true;
    isBroken = false;
    const before = asked().length;
    sink.reset();
    await engine.api.redrive(id, { state: ['FAILED'] });
    await eventually(async () => expect((await engine.api.execution(id)).fanOuts[0]).toMatchObject({ succeeded: 230 }));
    expect(bought()).toEqual(first.filter((body) => (JSON.parse(body) as { n: number }).n % 2 === 0));
    expect([before >= 6, asked()]).toEqual([true, []]);
  });

  it('may be an object by item key, and may become the input of a child of any kind', async () => {
    const { engine, sink } = stage;
    sink.answer(({ path, body }) => {
      if (path !== '/prices') return {};
      const wanted = JSON.parse(body) as { item: { sku: string; n: number } }[];
      return {
        body: JSON.stringify(Object.fromEntries(wanted.reverse().map(({ item }) => [item.sku, { n: item.n }]))),
      };
    });
    const child = stage.name();
    await engine.api.publish({
      name: child,
      nodes: [{ id: 'say', type: 'TRANSFORM', config: { output: '${input}' } }],
    });
    const name = await publish(
      {
        itemKey: '${item.sku}',
        input: { sku: '${item.sku}', frozen: '${frozen.n}' },
        node: undefined,
        pipeline: child,
      },
      { batch: 3 },
    );
    const { id } = await engine.api.start(name, { items: items(10) });
    expect(await engine.api.settled(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 10 }] });
    const { text } = await engine.api.call('GET', `/v1/executions/${id}/results?node=fan`);
    const outputs = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).output);
    expect(outputs).toEqual(items(10).map(({ sku, n }) => ({ sku, frozen: n })));
  });

  it('is not looked up while the fan-out is paused, and is at resume', async () => {
    const { engine, sink } = stage;
    let answer: { status?: number; body?: string } = { status: 503 };
    sink.answer(({ path }) => (path === '/prices' ? answer : {}));
    const config = { method: 'POST', url: `${sink.url}/prices`, body: '${items}' };
    const name = await publish({}, { batch: 2, node: { type: 'HTTP', retry: quickRetry(100), config } });
    const { id } = await engine.api.start(name, { items: items(6) });
    await eventually(() => expect(asked().length).toBeGreaterThan(3));
    await engine.api.need(200, 'POST', `/v1/executions/${id}/fan-outs/fan/pause`);
    await eventually(async () =>
      expect(
        await engine.query(
          `select b.first_index from frozen_batch b join fan_out f on f.id = b.fan_out_id
           where f.parent_id = $1 and b.state = 'pending' and b.due_at < now() - interval '1 second'`,
          [id],
        ),
      ).toHaveLength(3),
    );
    answer = { body: '[{"price":1},{"price":2}]' };
    await engine.api.need(200, 'POST', `/v1/executions/${id}/fan-outs/fan/resume`);
    expect(await engine.api.settled(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 6 }] });
  });

  it('fails the spawner where it cannot be had, and is asked for anew when that is retried', async () => {
    const { engine, sink } = stage;
    let answer: { status?: number; body?: string } = { status: 404 };
    sink.answer(({ path }) => (path === '/prices' ? answer : {}));
    const name = await publish({}, {});
    const { id } = await engine.api.start(name, { items: items(2) });
    const fails = async (code: string, calls: number) => {
      const done = await engine.api.settled(id);
      expect(done).toMatchObject({ state: 'FAILED', error: { code }, fanOuts: [{ spawned: 0 }] });
      expect(asked()).toHaveLength(calls);
    };
    await fails('FREEZE.FAILED', 1);
    answer = { body: '[{"price":1}]' };
    await engine.api.act(id, 'retry');
    await fails('FREEZE.ANSWER_INVALID', 2);
    answer = { body: '[{"price":1},{"price":2}]' };
    await engine.api.act(id, 'retry');
    expect(await engine.api.settled(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 2 }] });
    expect(bought()).toEqual(['{"n":0,"price":1}', '{"n":1,"price":2}']);
  });

  it('is nothing for an empty list, and nothing is asked for behind a cancel', async () => {
    const { engine, sink } = stage;
    sink.answer(({ path }) => (path === '/prices' ? { status: 503 } : {}));
    const name = await publish({}, {});
    expect(await engine.api.run(name, { items: [] })).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ total: 0 }] });
    const { id } = await engine.api.start(name, { items: items(3) });
    await eventually(() => expect(asked().length).toBeGreaterThan(0));
    await engine.api.act(id, 'cancel');
    const after = asked().length;
    await eventually(async () =>
      expect(
        (await engine.query('select 1 from frozen_batch where state in ($1, $2)', ['pending', 'running'])).length,
      ).toBe(0),
    );
    expect(asked().length).toBeLessThanOrEqual(after + 1);
  });

  it('is refused where it cannot be, with the path', async () => {
    const { api } = stage.engine;
    const refusal = async (config: object) => {
      const spawner = { items: '${input.items}', node: { type: 'TRANSFORM', config: { output: 1 } }, ...config };
      const { status, json } = await api.call('POST', '/v1/pipelines', {
        name: 'refused',
        nodes: [{ id: 'fan', type: 'SPAWNER', config: spawner }],
      });
      return [status, json.errors.map(({ path }: { path: string }) => path.replace('nodes[0].config.', ''))];
    };
    const node = { type: 'HTTP', config: { url: 'http://a/' } };
    expect(await refusal({ freeze: {} })).toEqual([422, ['freeze.node']]);
    expect(await refusal({ freeze: { node, batch: 0 } })).toEqual([422, ['freeze.batch']]);
    expect(await refusal({ freeze: { node: { type: 'WAIT', config: { duration: '1s' } } } })).toEqual([
      422,
      ['freeze.node.type'],
    ]);
    expect(await refusal({ freeze: { node: { ...node, destinations: ['x'] } } })).toEqual([
      422,
      ['freeze.node.destinations'],
    ]);
    expect(await refusal({ freeze: { node: { ...node, config: { url: 'http://a/${item.x}' } } } })).toEqual([
      422,
      ['freeze.node.config.url'],
    ]);
    expect(await refusal({ input: '${frozen.x}' })).toEqual([422, ['input']]);
    expect(await refusal({ node: { type: 'TRANSFORM', config: { output: '${frozen.x}' } } })).toEqual([
      422,
      ['node.config.output'],
    ]);
  });
});
