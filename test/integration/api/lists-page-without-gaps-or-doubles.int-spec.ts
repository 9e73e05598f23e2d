import { apiUnderTest, fanOutDefinition, type ApiUnderTest } from './api-under-test.js';
import { seedFanOut, type SeededChild } from './seeded-fan-out.js';

describe('lists page without gaps or doubles', () => {
  let api: ApiUnderTest;
  let parent: string;
  let ids: string[];
  const size = 1_000;
  beforeAll(async () => {
    api = await apiUnderTest();
    await api.call('POST', '/v1/pipelines', fanOutDefinition('paged'));
    parent = (await api.call('POST', '/v1/pipelines/paged/executions', { input: { items: [] } })).json.id;
    const children: SeededChild[] = Array.from({ length: size }, (_, i) =>
      i % 10 === 3
        ? {
            state: 'failed',
            item: `{"i":${i}}`,
            error: `{"class":"PERMANENT","code":"HTTP.STATUS","message":"no ${i}","status":400}`,
            fingerprint: i % 20 === 3 ? 'aa' : 'bb',
          }
        : { state: 'succeeded', item: `{"i":${i}}`, output: String(i), key: `key-${i}` },
    );
    ids = await seedFanOut(api.database, parent, children);
  });
  afterAll(() => api.close());

  const walk = async (path: string) => {
    const seen: { id: string; itemIndex: number; input?: unknown; output?: unknown }[] = [];
    for (let cursor = ''; ;) {
      const page = await api.call('GET', `${path}${cursor}`);
      expect(page.status).toBe(200);
      seen.push(...page.json.items);
      if (page.json.nextCursor === null) return seen;
      cursor = `&cursor=${page.json.nextCursor}`;
    }
  };

  it.each([7, 50, 100, 1000])('children by %i, in item order', async (limit) => {
    const seen = await walk(`/v1/executions/${parent}/children?limit=${limit}`);
    expect(seen.map((child) => child.id)).toEqual(ids);
    expect(seen.map((child) => child.itemIndex)).toEqual(ids.map((_, i) => i));
    expect(seen[5]).toMatchObject({
      parentId: parent,
      rootId: parent,
      spawnedBy: 'fan',
      node: 'fan',
      itemKey: 'key-5',
    });
  });

  it.each([7, 50])('children with each filter by %i', async (limit) => {
    const path = `/v1/executions/${parent}/children?limit=${limit}`;
    const indexes = async (filter: string) => (await walk(path + filter)).map((child) => child.itemIndex);
    const failed = ids.map((_, i) => i).filter((i) => i % 10 === 3);
    expect(await indexes('&state=FAILED')).toEqual(failed);
    expect(await indexes('&state=FAILED&fingerprint=aa')).toEqual(failed.filter((i) => i % 20 === 3));
    expect(await indexes('&state=FAILED,CANCELLED')).toEqual(failed);
    expect(await indexes('&state=RUNNING')).toEqual([]);
    expect(await indexes('&q=KEY-77')).toEqual([77, 770, 771, 772, 774, 775, 776, 777, 778, 779]);
    expect(await indexes('&node=join')).toHaveLength(size);
    expect((await api.call('GET', `${path}&node=nope`)).status).toBe(404);
  });

  it('adds payloads when asked', async () => {
    const seen = await walk(`/v1/executions/${parent}/children?limit=300&include=input,output`);
    expect(seen).toHaveLength(size);
    expect([seen[7]!.input, seen[7]!.output, seen[13]!.output]).toEqual([{ i: 7 }, 7, null]);
  });

  it('refuses cursors that are forged, cut or of another list', async () => {
    const children = `/v1/executions/${parent}/children?limit=7`;
    const { nextCursor } = (await api.call('GET', children)).json;
    const forged = `${nextCursor.slice(0, -2)}${nextCursor.endsWith('AA') ? 'BB' : 'AA'}`;
    for (const cursor of [
      forged,
      nextCursor.slice(0, -3),
      `${nextCursor}x`,
      'null',
      Buffer.from('["x"]').toString('base64url'),
    ])
      expect((await api.call('GET', `${children}&cursor=${cursor}`)).json.code).toBe('REQUEST.CURSOR');
    expect((await api.call('GET', `${children}&state=FAILED&cursor=${nextCursor}`)).status).toBe(400);
    expect((await api.call('GET', `/v1/executions?cursor=${nextCursor}`)).status).toBe(400);
    expect((await api.call('GET', `/v1/executions/${parent}/children?limit=9&cursor=${nextCursor}`)).status).toBe(200);
  });

  it('top-level executions, newest first, by label, pipeline, state and time; and all below a root', async () => {
    const started: string[] = [];
    for (let i = 0; i < 25; i++)
      started.push(
        (await api.call('POST', '/v1/pipelines/paged/executions', { labels: { batch: `b=${i % 2}`, n: `${i}` } })).json
          .id,
      );
    const seen = await walk('/v1/executions?limit=7&label=batch=b=1');
    expect(seen.map((row) => row.id).sort()).toEqual(started.filter((_, i) => i % 2 === 1).sort());
    expect(await walk('/v1/executions?limit=7&label=batch=b=1&label=n=3')).toHaveLength(1);
    expect(await walk('/v1/executions?limit=7&pipeline=paged&state=PENDING')).toHaveLength(26);
    expect(await walk('/v1/executions?limit=7&pipeline=unknown')).toHaveLength(0);
    const since = (await api.call('GET', `/v1/executions/${started[20]}`)).json.createdAt;
    expect((await walk(`/v1/executions?limit=2&since=${since}`)).length).toBeGreaterThanOrEqual(5);
    expect((await walk(`/v1/executions?limit=300&root=${parent}`)).map((row) => row.id)).toEqual(ids);
    expect(await walk(`/v1/executions?limit=300&parent=${parent}&state=FAILED`)).toHaveLength(100);
  });

  it('counts always sum to what was spawned, and are numbers', async () => {
    const { fanOuts, openDescendants } = (await api.call('GET', `/v1/executions/${parent}`)).json;
    expect(fanOuts[0]).toMatchObject({
      nodeId: 'fan',
      childPipeline: 'paged@1',
      generation: 1,
      round: 1,
      total: size,
      spawned: size,
      sealed: true,
      pending: 0,
      ready: 0,
      running: 0,
      paused: 0,
      succeeded: 900,
      failed: 100,
      cancelled: 0,
      verdict: 'OPEN',
    });
    expect(openDescendants).toBe(0);
    const { ancestors } = (await api.call('GET', `/v1/executions/${ids[42]}/lineage`)).json;
    expect(ancestors).toEqual([
      { id: parent, pipeline: { name: 'paged', version: 1 }, state: 'PENDING', nodeId: 'fan', itemIndex: 42 },
    ]);
    const { descendants } = (await api.call('GET', `/v1/executions/${parent}/lineage`)).json;
    expect(descendants).toEqual({
      PENDING: 0,
      READY: 0,
      RUNNING: 0,
      PAUSED: 0,
      SUCCEEDED: 900,
      FAILED: 100,
      CANCELLED: 0,
    });
    const failures = (await api.call('GET', `/v1/executions/${parent}/failures`)).json.items;
    expect(failures).toEqual(
      ['aa', 'bb'].map((fingerprint) =>
        expect.objectContaining({ fingerprint, class: 'PERMANENT', code: 'HTTP.STATUS', status: 400, count: 50 }),
      ),
    );
  });

  it('streams results in item order', async () => {
    const reply = await api.call('GET', `/v1/executions/${parent}/results`);
    const lines = reply.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map((line) => line.index)).toEqual(ids.map((_, i) => i));
    expect(lines[4]).toEqual({ index: 4, key: 'key-4', state: 'SUCCEEDED', output: 4 });
    expect(lines[13]).toMatchObject({ index: 13, state: 'FAILED', error: { code: 'HTTP.STATUS' } });
    expect((await api.call('GET', `/v1/executions/${parent}/results?node=join`)).text).toBe(reply.text);
    expect((await api.call('GET', `/v1/executions/${parent}/results?node=nope`)).status).toBe(404);
  });
});
