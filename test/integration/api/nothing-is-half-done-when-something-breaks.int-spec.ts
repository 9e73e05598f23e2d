import { request as httpRequest } from 'node:http';
import { DatasetStore } from '@app/persistence';
import { eventually } from '../../support/eventually.js';
import { Link } from '../../support/link.js';
import { adminKey, apiUnderTest, fanOutDefinition, type ApiUnderTest } from './api-under-test.js';

describe('nothing is half done when something breaks', () => {
  let api: ApiUnderTest;
  let link: Link;
  beforeAll(async () => {
    link = await Link.to(process.env.FANFOLD_TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres');
    api = await apiUnderTest({ databaseUrl: link.url });
    await api.call('POST', '/v1/pipelines', fanOutDefinition('sturdy'));
  });
  afterAll(async () => {
    await api.close();
    await link.close();
  });

  it('an upload that is broken off leaves nothing', async () => {
    await new Promise<void>((resolve) => {
      const upload = httpRequest(`${api.url}/v1/datasets?name=broken&format=csv`, {
        method: 'POST',
        headers: { authorization: `Bearer ${adminKey}`, 'transfer-encoding': 'chunked' },
      });
      upload.on('error', () => undefined).on('close', resolve);
      upload.write(`a,b\n${'1,2\n'.repeat(500_000)}`);
      setTimeout(() => upload.destroy(), 300);
    });
    await eventually(async () => {
      const { rows } = await api.database.pool.query('select from dataset union all select from dataset_chunk');
      expect(rows).toHaveLength(0);
    });
  });

  it('an upload whose process died is swept away once it has rested', async () => {
    const { rows } = await api.database.pool.query(
      `insert into dataset (id, name, format, touched_at) values (gen_random_uuid(), 'x', 'csv', now() - interval '11 minutes') returning id`,
    );
    expect((await api.call('GET', `/v1/datasets/${rows[0].id}`)).status).toBe(404);
    expect((await api.call('GET', '/v1/datasets')).json.items).toEqual([]);
    const sweep = () => new DatasetStore().sweepAbandoned(api.database.any, { untouchedFor: '10 minutes', limit: 10 });
    expect([await sweep(), await sweep()]).toEqual([1, 0]);
  });

  it('a refused large upload still reaches its sender', async () => {
    const body = `a,b\n1\n${'1,2\n'.repeat(2_000_000)}`;
    const reply = await api.call('POST', '/v1/datasets?name=large&format=csv', body);
    expect([reply.status, reply.json.code]).toEqual([422, 'DATASET.RAGGED_ROW']);
  });

  it('without the database every call is told to come back, and works when it is there again', async () => {
    link.down();
    for (const [method, path, body] of [
      ['GET', '/v1/pipelines', undefined],
      ['POST', '/v1/pipelines/sturdy/executions', { input: {} }],
      ['POST', '/v1/datasets?name=d&format=csv', 'a\n1\n'],
    ] as const) {
      const reply = await api.call(method, path, body);
      expect([reply.status, reply.json.code]).toEqual([503, 'DATABASE.UNAVAILABLE']);
      expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
    }
    expect((await api.call('GET', '/health/live')).status).toBe(200);
    link.restore();
    await eventually(async () => expect((await api.call('GET', '/v1/pipelines')).status).toBe(200));
    expect((await api.call('POST', '/v1/pipelines/sturdy/executions', { input: {} })).status).toBe(201);
  });

  it('a stream goes on by itself after the database was away', async () => {
    const { id } = (await api.call('POST', '/v1/pipelines/sturdy/executions', {})).json;
    const abort = new AbortController();
    const response = await fetch(`${api.url}/v1/executions/${id}/stream`, {
      headers: { authorization: `Bearer ${adminKey}` },
      signal: abort.signal,
    });
    let told = '';
    const reading = (async () => {
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>)
        told += Buffer.from(chunk).toString();
    })().catch(() => undefined);
    link.down();
    await new Promise((resolve) => setTimeout(resolve, 600));
    link.restore();
    await eventually(async () =>
      expect((await api.database.pool.query(`update execution set seq = 2 where id = $1`, [id])).rowCount).toBe(1),
    );
    await api.database.pool.query(`insert into event (execution_id, seq, kind) values ($1, 2, 'ready')`, [id]);
    await eventually(async () => expect(told).toContain('execution.ready'));
    abort.abort();
    await reading;
  });
});
