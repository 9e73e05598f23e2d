import { createServer, type AddressInfo, type Server } from 'node:net';
import { Sink } from '../../support/sink.js';
import { errorOf, loopback, outputOf, Performing } from './performing.js';

describe('an HTTP node', () => {
  let performing: Performing;
  let sink: Sink;
  let listener: Server;
  let connections = 0;
  let port: number;
  beforeAll(async () => {
    performing = await Performing.start();
    sink = await Sink.start();
    listener = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => listener.listen(0, '::', resolve));
    port = (listener.address() as AddressInfo).port;
  });
  beforeEach(() => {
    performing.configure({ httpAllow: [] });
    connections = 0;
    sink.reset();
    sink.answer(() => ({}));
  });
  afterAll(async () => {
    listener.close();
    await sink.close();
    await performing.stop();
  });
  const get = (url: string, config: Record<string, unknown> = {}) =>
    performing.http({ url: '${item.url}', ...config }, { item: JSON.stringify({ url }) });

  it.each([
    'http://127.0.0.1:PORT/',
    'http://127.1:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f000001:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://0:PORT/',
    'http://localhost:PORT/',
    'http://LocalHost:PORT/',
    'http://[::1]:PORT/',
    'http://[::]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::ffff:7f00:1]:PORT/',
    'http://[64:ff9b::7f00:1]:PORT/',
    'http://[2002:7f00:1::]:PORT/',
    'http://[fe80::1]:PORT/',
    'http://[fc00::1]:PORT/',
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://192.168.0.1/',
    'http://100.64.0.1/',
    'http://224.0.0.1/',
    'https://127.0.0.1:PORT/',
    'file:///etc/passwd',
    'ftp://127.0.0.1:PORT/',
    'gopher://127.0.0.1:PORT/_x',
    'data:text/plain,x',
  ])('refuses %s for good, before any connection', async (url) => {
    const outcome = await get(url.replace('PORT', String(port)));
    expect(outcome).toMatchObject({ kind: 'failed', class: 'PERMANENT', error: { code: 'HTTP.ADDRESS_REFUSED' } });
    expect(connections).toBe(0);
  });

  it.each([
    'http://user:hunter2@127.0.0.1/',
    'https://user@example.com/',
    'http://',
    'not a url',
    '//host/x',
    'http://a b/',
    'http://[::1',
  ])('cannot read %s and does not repeat it', async (url) => {
    const error = errorOf(await get(url));
    expect(error).toMatchObject({ class: 'PERMANENT', code: 'HTTP.URL_INVALID' });
    expect(JSON.stringify(error)).not.toContain('hunter2');
  });

  it('reaches what the configuration allows: networks, addresses, names, each with a port or without', async () => {
    const { port: sinkPort } = new URL(sink.url);
    for (const httpAllow of [loopback, ['127.0.0.1'], [`127.0.0.1:${sinkPort}`], [`127.0.0.0/8:${sinkPort}`], ['*']]) {
      performing.configure({ httpAllow });
      expect((await get(sink.url)).kind).toBe('succeeded');
      expect((await get(sink.url.replace('127.0.0.1', '[::ffff:127.0.0.1]'))).kind).toBe('succeeded');
    }
    performing.configure({ httpAllow: ['localhost'] });
    expect((await get(`http://localhost:${sinkPort}`)).kind).toBe('succeeded');
    expect(await get(sink.url)).toMatchObject({ error: { code: 'HTTP.ADDRESS_REFUSED' } });
    performing.configure({ httpAllow: ['127.0.0.1:1', 'example.com', '*.example.com'] });
    expect(await get(sink.url)).toMatchObject({ error: { code: 'HTTP.ADDRESS_REFUSED' } });
  });

  describe('that follows redirects', () => {
    beforeEach(() => performing.configure({ httpAllow: [`127.0.0.1:${new URL(sink.url).port}`, 'localhost'] }));

    it('goes as far as it may and no further', async () => {
      sink.answer(({ path }) => {
        const n = Number(path.slice(1));
        return n > 0 ? { status: 302, headers: { location: `/${n - 1}` } } : { body: '"arrived"' };
      });
      expect(JSON.parse(outputOf(await get(`${sink.url}/5`, { redirects: 5 })))).toMatchObject({
        status: 200,
        body: 'arrived',
      });
      expect(await get(`${sink.url}/6`, { redirects: 5 })).toMatchObject({
        class: 'PERMANENT',
        error: { code: 'HTTP.TOO_MANY_REDIRECTS' },
      });
      expect(await get(`${sink.url}/1`)).toMatchObject({
        class: 'PERMANENT',
        error: { code: 'HTTP.STATUS', status: 302 },
      });
    });

    it.each(['http://127.0.0.1:PORT/', 'http://169.254.169.254/', 'file:///etc/passwd', 'http://u:p@127.0.0.1/'])(
      'checks each place anew: %s is refused',
      async (location) => {
        sink.answer(() => ({ status: 302, headers: { location: location.replace('PORT', String(port)) } }));
        const error = errorOf(await get(sink.url, { redirects: 5 }));
        expect(error.class).toBe('PERMANENT');
        expect(['HTTP.ADDRESS_REFUSED', 'HTTP.URL_INVALID']).toContain(error.code);
        expect(connections).toBe(0);
      },
    );

    it('takes no credentials and no secrets to another origin, and all of them along within one', async () => {
      performing.configure({ httpAllow: ['127.0.0.1', 'localhost'], secrets: { TOKEN: 'sesame-open' } });
      const other = `http://localhost:${new URL(sink.url).port}/other`;
      const headers = { authorization: 'Bearer own', cookie: 'a=1', 'x-token': '${secrets.TOKEN}', 'x-plain': 'stays' };
      sink.answer(({ path }) =>
        path === '/other' ? {} : { status: 302, headers: { location: path === '/in' ? '/within' : other } },
      );
      await get(`${sink.url}/in`, { redirects: 5, headers });
      const [first, within, outside] = sink.calls;
      for (const call of [first, within])
        expect(call!.headers).toMatchObject({
          authorization: 'Bearer own',
          cookie: 'a=1',
          'x-token': 'sesame-open',
          'x-plain': 'stays',
        });
      expect(outside!.headers).toMatchObject({
        'x-plain': 'stays',
        'idempotency-key': first!.headers['idempotency-key'],
      });
      for (const name of ['authorization', 'cookie', 'x-token']) expect(outside!.headers).not.toHaveProperty(name);
    });
  });
});
