import {
  cel,
  datasetItems,
  definePipeline,
  EngineAway,
  FanfoldClient,
  http,
  merge,
  spawner,
  transform,
  type,
  type ExecutionEvent,
  type StreamFrame,
} from '@app/sdk';
import { inEveryMode, type Stage } from '../support/in-every-mode.js';
import { Link } from '../support/link.js';

const big = 9_007_199_254_740_993n;

interface Item {
  readonly id: bigint;
}

/** Posts every item of a dataset, and gives back what came. */
const posting = (name: string, url: string) =>
  definePipeline({ name, input: type<{ dataset: string }>() }, ({ input, add }) => {
    const posted = add(
      'posted',
      spawner({
        items: datasetItems(input.dataset, type<Item>()),
        node: ({ item }) =>
          http({ method: 'POST', url, body: { id: item.id } }, { retry: { maxAttempts: 1 } }, type<{ got: bigint }>()),
      }),
    );
    const join = add('join', merge({ of: posted, results: 'INLINE', tolerateChildFailures: ['FAILED'] }));
    return add('told', transform({ ok: join.output.succeeded, all: cel<boolean>`${join.output.failed} == 0` }), join);
  });

const clientOf = (stage: Stage, url = stage.engine.api.url) =>
  new FanfoldClient({ url: url.replace(/\/$/, ''), apiKey: stage.engine.api.key, retry: { firstDelayMs: 20 } });

const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
};

inEveryMode('a program works with an engine by its types', (stage) => {
  it('from the definition to the results, and every digit of a large integer survives both ways', async () => {
    const client = clientOf(stage);
    stage.sink.answer(({ body }) => ({
      body: body.replace('"id"', '"got"'),
      status: body.includes('994') ? 422 : 200,
    }));
    const pipeline = posting(stage.name(), stage.sink.url);
    expect(await client.pipelines.publish(pipeline)).toMatchObject({ name: pipeline.name, version: 1 });
    const items = Array.from({ length: 120 }, (_, n) => ({ id: big + BigInt(n) }));
    const dataset = await client.datasets.uploadItems(pipeline.name, items);
    expect(dataset).toMatchObject({ itemCount: 120, format: 'ndjson' });
    expect(await all(client.datasets.items(dataset.id))).toEqual(items);

    const started = await client.pipelines.start(pipeline, { input: { dataset: dataset.id }, labels: { by: 'test' } });
    const settled = await client.executions.settled(started.id);
    expect(settled).toMatchObject({ state: 'SUCCEEDED', output: { ok: 119, all: false }, labels: { by: 'test' } });
    expect(stage.sink.calls.map(({ body }) => body).sort()[0]).toBe(`{"id":${big}}`);

    const lines = await all(client.executions.results(started.id, { node: 'posted' }));
    expect(lines.map(({ index }) => index)).toEqual(items.map((_, n) => n));
    expect(lines[0]).toMatchObject({ state: 'SUCCEEDED', output: { status: 200, body: { got: big } } });
    expect(lines[1]).toMatchObject({ state: 'FAILED', error: { class: 'PERMANENT', status: 422 } });
    const children = await all(client.executions.children(started.id, { include: ['input'] }));
    expect(children.map(({ input }) => (input as Item).id)).toEqual(items.map(({ id }) => id));
    const failed = await all(client.executions.children(started.id, { state: ['FAILED', 'CANCELLED'] }));
    expect(failed).toHaveLength(1);
    expect(await client.executions.failures(started.id)).toMatchObject([{ code: 'HTTP.STATUS', count: 1 }]);
    const listed = await all(client.executions.list({ pipeline: pipeline.name, label: 'by=test' }));
    expect(listed.map(({ id }) => id)).toEqual([started.id]);
    expect(await client.executions.redrive(started.id, { dryRun: true })).toEqual({ matched: 1, redriven: 0 });
  });

  it('a start whose answer is lost is made again and happens once', async () => {
    const link = await Link.to(stage.engine.api.url);
    try {
      const client = clientOf(stage, link.url);
      const pipeline = posting(stage.name(), stage.sink.url);
      await client.pipelines.publish(pipeline);
      const { id: dataset } = await client.datasets.upload(pipeline.name, 'ndjson', '{"id":1}\n');
      let lost = 0;
      link.listen((said, connection) => {
        if (said.startsWith('POST') && said.includes('/executions') && lost++ < 2) connection.loseAnswer();
      });
      const started = await client.pipelines.start(pipeline, { input: { dataset } });
      expect(lost).toBe(3);
      await client.executions.settled(started.id);
      expect(await all(client.executions.list({ pipeline: pipeline.name }))).toHaveLength(1);
      expect(stage.sink.calls).toHaveLength(1);
    } finally {
      await link.close();
    }
  });

  it('a stream that is cut again and again tells every event once and in order', async () => {
    const link = await Link.to(stage.engine.api.url);
    try {
      const client = clientOf(stage, link.url);
      const name = stage.name();
      const ids = Array.from({ length: 20 }, (_, n) => `n${n}`);
      const chain = definePipeline({ name }, ({ add }) => {
        const nodes = ids.map((id) => http({ method: 'POST', url: stage.sink.url, body: id }));
        nodes.reduce<ReturnType<typeof add> | null>(
          (before, node, n) => add(ids[n]!, node, ...(before ? [before] : [])),
          null,
        );
      });
      await client.pipelines.publish(chain);
      stage.sink.answer(() => ({ delayMs: 20 }));
      const { id } = await client.pipelines.start(name);
      const told: StreamFrame[] = [];
      let cuts = 0;
      for await (const frame of client.executions.stream(id)) {
        told.push(frame);
        if (frame.event === 'node' && told.length % 5 === 0 && ++cuts <= 6) link.cut();
      }
      expect(cuts).toBeGreaterThan(3);
      expect(told[0]!.event).toBe('snapshot');
      expect(told.at(-1)).toEqual({ event: 'end', data: { state: 'SUCCEEDED' } });
      const seen = told.flatMap((frame) => (frame.event === 'state' || frame.event === 'node' ? [frame.data] : []));
      const history: ExecutionEvent[] = await all(client.executions.events(id));
      const first = seen[0]!.seq;
      expect(seen).toEqual(history.filter(({ seq }) => seq >= first));
      const [snapshot] = told as [Extract<StreamFrame, { event: 'snapshot' }>];
      expect(Number(snapshot.id)).toBe(first - 1);
      expect(told.filter(({ event }) => event === 'snapshot')).toHaveLength(1);
    } finally {
      await link.close();
    }
  });

  it('a refusal is an error with its code and every defect; nobody there is another', async () => {
    const client = clientOf(stage);
    await expect(client.executions.get('01a22a60-daa7-7378-9b3e-1223c61501fd')).rejects.toMatchObject({
      name: 'EngineRefused',
      status: 404,
      code: 'EXECUTION.UNKNOWN',
    });
    const broken = {
      name: 'broken',
      nodes: [{ id: 'a', type: 'WAIT', config: { duration: 'soon' } }],
      edges: [{ from: 'a', to: 'b' }],
    };
    await expect(client.pipelines.publish(broken)).rejects.toMatchObject({
      status: 422,
      errors: expect.arrayContaining([
        expect.objectContaining({ path: 'nodes[0].config.duration' }),
        expect.objectContaining({ path: 'edges[0].to' }),
      ]) as unknown,
    });
    const link = await Link.to(stage.engine.api.url);
    link.down();
    const away = new FanfoldClient({
      url: link.url.replace(/\/$/, ''),
      apiKey: 'k',
      retry: { attempts: 3, firstDelayMs: 1 },
    });
    await expect(away.executions.get('x')).rejects.toThrow(EngineAway);
    await expect(away.executions.get('x')).rejects.toThrow(`no engine answers at ${new URL(link.url).origin}`);
    await link.close();
    expect(() => new FanfoldClient({ url: 'localhost:3000', apiKey: 'k' })).toThrow(/^url: localhost:3000/);
  });

  it('what is waited for can be left: a signal ends calls, waits and streams with its reason', async () => {
    const client = clientOf(stage);
    const name = stage.name();
    await client.pipelines.publish({ name, nodes: [{ id: 'a', type: 'SIGNAL', config: { name: 'go' } }] });
    const { id } = await client.pipelines.start(name);
    const leaving = new AbortController();
    const reason = new Error('left');
    const settled = client.executions.settled(id, { signal: leaving.signal });
    const frames = all(client.executions.stream(id, { signal: leaving.signal }));
    leaving.abort(reason);
    await expect(settled).rejects.toBe(reason);
    await expect(frames).rejects.toBe(reason);
    await client.executions.signal(id, 'go', { n: big });
    expect(await client.executions.settled(id)).toMatchObject({ state: 'SUCCEEDED', output: { n: big } });
  });
});
