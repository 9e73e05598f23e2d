import { apiUnderTest, fanOutDefinition, type ApiUnderTest } from './api-under-test.js';
import { seedFanOut } from './seeded-fan-out.js';

describe('payloads come back exact', () => {
  let api: ApiUnderTest;
  beforeAll(async () => {
    api = await apiUnderTest();
    await api.call('POST', '/v1/pipelines', fanOutDefinition('exact'));
  });
  afterAll(() => api.close());

  const texts = [
    '{"id":9007199254740993}',
    '{"id":-9223372036854775808}',
    '{"v":1.0}',
    '{"v":1e400}',
    '-0',
    '{"b":1,"a":2,"b":3}',
    '{"s":"a\\u0000b"}',
    '{"s":"\\\\u0000"}',
    '{"\\u0000k":"\\ud800"}',
    '{"__proto__":{"polluted":true,"state":"SUCCEEDED"}}',
    '{"constructor":{"prototype":{"x":1}}}',
    'null',
    '"text"',
  ];

  it('as input, item, output and in results', async () => {
    const input = `{"items":[${texts.join(',')}]}`;
    const started = await api.call(
      'POST',
      '/v1/pipelines/exact/executions',
      `{ "input" : ${input.replaceAll(',', ' ,\n')} }`,
    );
    expect(started.status).toBe(201);
    expect(started.text).toContain(`"input":${input}`);
    expect((await api.call('GET', `/v1/executions/${started.json.id}`)).text).toContain(`"input":${input}`);
    const children = texts.map((text) => ({ state: 'succeeded' as const, item: text, output: text }));
    const ids = await seedFanOut(api.database, started.json.id, children);
    const results = (await api.call('GET', `/v1/executions/${started.json.id}/results`)).text.trimEnd().split('\n');
    for (const [i, text] of texts.entries()) {
      const child = await api.call('GET', `/v1/executions/${ids[i]}`);
      expect(child.text).toContain(`"input":${text},"output":${text},`);
      expect(results[i]).toBe(`{"index":${i},"key":null,"state":"SUCCEEDED","output":${text}}`);
    }
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('and nothing in them is taken for a field of ours', async () => {
    const reply = await api.call('POST', '/v1/pipelines/exact/executions', '{"__proto__":{"priority":9},"input":{}}');
    expect([reply.status, reply.json.errors[0].path]).toEqual([422, '__proto__']);
    for (const body of ['{"cascade":true,"__proto__":{}}', '{"constructor":1}'])
      expect((await api.call('POST', '/v1/executions/00000000-0000-7000-8000-000000000000/cancel', body)).status).toBe(
        422,
      );
  });

  it('refuses NUL and lone surrogates in names, keys and labels, with the path', async () => {
    for (const [body, path] of [
      ['{"key":"a\\u0000"}', 'key'],
      ['{"labels":{"a":"\\u0000"}}', 'labels.a'],
      ['{"labels":{"a":"\\ud800"}}', 'labels.a'],
    ] as const)
      expect((await api.call('POST', '/v1/pipelines/exact/executions', body)).json).toMatchObject({
        status: 422,
        errors: [{ path }],
      });
    expect((await api.call('POST', '/v1/datasets?name=a%00b&format=csv', 'a\n')).status).toBe(422);
    expect((await api.call('POST', `/v1/datasets?name=${'x'.repeat(256)}&format=csv`, 'a\n')).status).toBe(422);
    expect((await api.call('GET', '/v1/pipelines/a%00b')).status).toBe(404);
  });
});
