import { Sink } from '../../support/sink.js';
import { errorOf, outputOf, Performing } from './performing.js';

describe('an HTTP node', () => {
  let performing: Performing;
  let sink: Sink;
  beforeAll(async () => {
    performing = await Performing.start();
    sink = await Sink.start();
  });
  beforeEach(() => {
    sink.reset();
    sink.answer(() => ({}));
  });
  afterAll(async () => {
    await sink.close();
    await performing.stop();
  });
  const lastCall = () => sink.calls.at(-1)!;
  /** A node with the body given as exact JSON text. */
  const post = (body: string, item: string, headers = '{}') =>
    performing.perform(
      `{"id":"node","type":"HTTP","config":{"method":"POST","url":"${sink.url}/rows","headers":${headers},"body":${body}}}`,
      { item },
    );

  it.each([
    '9007199254740993',
    '3544790567247868102',
    '-9223372036854775808',
    '1e400',
    '0.1',
    '1.0',
    '-0',
    'null',
    'true',
    '"text"',
    '""',
    '"\\u0000"',
    '"\\\\u0000"',
    '{"\\u0000":1}',
    '"\\ud800"',
    '"naïve 🜚"',
    '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"status":"SUCCEEDED"}',
    '{"a":1,"a":2}',
    '[1,[2,[3,[]]]]',
  ])('sends and gives back %s as it is', async (item) => {
    sink.answer((call) => ({ body: call.body }));
    const output = outputOf(await post('"${item}"', item));
    expect(lastCall().body).toBe(item);
    expect(lastCall().headers['content-type']).toBe('application/json');
    expect(output.endsWith(`"body":${item}}`)).toBe(true);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('puts exact values into larger bodies', async () => {
    await post('{"id":"${item.id}","text":"no ${item.id}","half":0.50}', '{"id":9007199254740993}');
    expect(lastCall().body).toBe('{"id":9007199254740993,"text":"no 9007199254740993","half":0.50}');
  });

  it('sends a string raw where the content type is not JSON, and refuses anything else there', async () => {
    await post('"${item}"', '"id,name\\n1,\\"Ü\\"\\n"', '{"Content-Type":"text/csv"}');
    expect(lastCall()).toMatchObject({ body: 'id,name\n1,"Ü"\n', headers: { 'content-type': 'text/csv' } });
    const refused = await post('"${item}"', '{"id":1}', '{"Content-Type":"text/csv"}');
    expect(refused).toMatchObject({ class: 'PERMANENT', error: { code: 'HTTP.BODY_INVALID' } });
    await post('"${item}"', '{"id":1}', '{"content-type":"application/merge-patch+json"}');
    expect(lastCall().body).toBe('{"id":1}');
    expect(sink.calls).toHaveLength(2);
  });

  it('sends no body where the node has none', async () => {
    await performing.http({ method: 'POST', url: sink.url });
    expect(lastCall().body).toBe('');
    expect(lastCall().headers['content-type']).toBeUndefined();
  });

  it('names task and attempt, and the run in a trace', async () => {
    const executionId = '01890a5d-ac96-8774-bcce-b302099a8057';
    await performing.http({ url: sink.url, headers: { 'idempotency-key': 'own' } }, { executionId, attempt: 7 });
    expect(lastCall().headers).toMatchObject({
      'idempotency-key': `${executionId}.node`,
      'x-execution-id': `${executionId}.node-7`,
      traceparent: expect.stringMatching(/^00-01890a5dac968774bcceb302099a8057-[0-9a-f]{16}-01$/),
    });
  });

  it.each(['a\r\nx-injected: 1', 'a\nb', 'nul\u0000', 'snow\u2603'])(
    'refuses the header value %j before any connection',
    async (value) => {
      const outcome = await performing.http(
        { url: sink.url, headers: { 'x-name': '${item}' } },
        { item: JSON.stringify(value) },
      );
      expect(outcome).toMatchObject({ class: 'PERMANENT', error: { code: 'HTTP.HEADER_INVALID' } });
      expect(sink.calls).toHaveLength(0);
    },
  );

  it('encodes what an item puts into the URL no further than a URL demands', async () => {
    await performing.http(
      { url: `${sink.url}/rows/\${item.id}?q=\${item.q}` },
      { item: '{"id":9007199254740993,"q":"a b"}' },
    );
    expect(lastCall().path).toBe('/rows/9007199254740993?q=a%20b');
  });

  it('takes a NUL and bytes that are no UTF-8 in an answer', async () => {
    sink.answer(() => ({ body: '{"text":"\\u0000"}' }));
    expect(outputOf(await performing.http({ url: sink.url }))).toContain('"body":{"text":"\\u0000"}');
    sink.answer(() => ({ status: 500, body: 'nul \u0000 here' }));
    expect(errorOf(await performing.http({ url: sink.url })).body).toBe('nul \u0000 here');
  });

  it('keeps headers that are named like parts of an object', async () => {
    sink.answer(() => ({ headers: { __proto__: 'x', constructor: 'y' } as Record<string, string> }));
    expect(outputOf(await performing.http({ url: sink.url }))).toContain('"constructor":"y"');
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });
});
