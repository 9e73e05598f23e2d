import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { gzipSync, brotliCompressSync, deflateSync, deflateRawSync } from 'node:zlib';
import { createServer as createHttpServer } from 'node:http';
import { begun } from '../../support/begun.js';
import { Sink } from '../../support/sink.js';
import { eventually } from '../../support/eventually.js';
import { errorOf, outputOf, Performing } from './performing.js';

/** A destination that says exactly these bytes, once it has been asked. */
class RawServer {
  readonly sockets = new Set<Socket>();
  asked = 0;
  private constructor(private readonly server: Server) {}

  static async start(onAsked: (socket: Socket) => void): Promise<RawServer> {
    const server = createServer();
    const raw = new RawServer(server);
    server.on('connection', (socket) => {
      raw.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('data', () => {
        raw.asked++;
        onAsked(socket);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return raw;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

describe('an HTTP node', () => {
  let performing: Performing;
  let sink: Sink;
  let raws: RawServer[] = [];
  const raw = async (onAsked: (socket: Socket) => void) => {
    const server = await RawServer.start(onAsked);
    raws.push(server);
    return server;
  };
  beforeAll(async () => {
    performing = await Performing.start();
    sink = await Sink.start();
  });
  afterEach(async () => {
    await Promise.all(raws.map((server) => server.close()));
    raws = [];
    sink.reset();
  });
  afterAll(async () => {
    await sink.close();
    await performing.stop();
  });

  it.each([400, 401, 403, 404, 409, 410, 422, 501, 505, 301, 302, 304])('fails for good at %i', async (status) => {
    sink.answer(() => ({ status, body: '{"why":"no such row"}' }));
    const outcome = await performing.http({ url: `${sink.url}/x`, method: 'POST', body: {} });
    expect(outcome).toMatchObject({
      kind: 'failed',
      class: 'PERMANENT',
      error: { class: 'PERMANENT', code: 'HTTP.STATUS', status },
    });
    if (status !== 304) expect(errorOf(outcome).body).toBe('{"why":"no such row"}');
    expect(sink.calls).toHaveLength(1);
  });

  it.each([408, 425, 500, 502, 503, 504, 599])('may be tried again after %i', async (status) => {
    sink.answer(() => ({ status, body: 'busy' }));
    const outcome = await performing.http({ url: sink.url });
    expect(outcome).toMatchObject({
      kind: 'failed',
      class: 'TRANSIENT',
      error: { class: 'TRANSIENT', status, body: 'busy' },
    });
    expect(sink.calls).toHaveLength(1);
  });

  it('names the status in words of its own and keeps at most 1 KiB of the body', async () => {
    sink.answer(() => ({ status: 422, body: `é${'x'.repeat(100_000)}` }));
    const error = errorOf(await performing.http({ url: sink.url }));
    expect(error.message).toBe(`${sink.url} answered 422 Unprocessable Entity`);
    expect(Buffer.byteLength(error.body as string)).toBe(1_024);
  });

  it.each([200, 201, 204, 299])('succeeds at %i with status, headers and body', async (status) => {
    sink.answer(() => ({ status, headers: { 'x-answer': 'yes' }, body: status === 204 ? '' : '{"id":1}' }));
    const output = JSON.parse(outputOf(await performing.http({ url: sink.url }))) as Record<string, never>;
    expect(output).toMatchObject({ status, headers: { 'x-answer': 'yes' }, body: status === 204 ? '' : { id: 1 } });
  });

  it('takes JSON that is broken, or no JSON, as a string', async () => {
    sink.answer(() => ({ body: '{"id": 1' }));
    expect(JSON.parse(outputOf(await performing.http({ url: sink.url })))).toMatchObject({ body: '{"id": 1' });
    sink.answer(() => ({ body: '{"id": 1}', headers: { 'content-type': 'text/plain' } }));
    expect(JSON.parse(outputOf(await performing.http({ url: sink.url })))).toMatchObject({ body: '{"id": 1}' });
  });

  it('obeys the statuses that the node expects and the rules that it has for others', async () => {
    sink.answer(() => ({ status: 404, body: '{"gone":true}' }));
    expect((await performing.http({ url: sink.url, expect: ['200-299', 404] })).kind).toBe('succeeded');
    sink.answer(() => ({ status: 200 }));
    expect(await performing.http({ url: sink.url, expect: [201] })).toMatchObject({
      kind: 'failed',
      class: 'PERMANENT',
    });

    sink.answer(() => ({ status: 409, body: '{"error":"already exists","id":9007199254740993}' }));
    const rules = {
      errors: [
        { status: 409, match: 'already exists', treatAs: 'SUCCEEDED' },
        { status: 409, treatAs: 'TRANSIENT' },
      ],
    };
    expect(outputOf(await performing.http({ url: sink.url }, {}, rules))).toContain(
      '"body":{"error":"already exists","id":9007199254740993}',
    );
    sink.answer(() => ({ status: 409, body: 'locked' }));
    expect(await performing.http({ url: sink.url }, {}, rules)).toMatchObject({
      kind: 'failed',
      class: 'TRANSIENT',
      error: { class: 'TRANSIENT' },
    });
    sink.answer(() => ({ status: 500, body: 'locked' }));
    const permanent = { errors: [{ code: 'HTTP.STATUS', status: 500, treatAs: 'PERMANENT' }] };
    expect(await performing.http({ url: sink.url }, {}, permanent)).toMatchObject({
      class: 'PERMANENT',
      error: { status: 500 },
    });
  });

  it('calls a refused connection, a reset before and after the request, and an answer that breaks off transient', async () => {
    const gone = await raw(() => undefined);
    const { url } = gone;
    await gone.close();
    expect(await performing.http({ url })).toMatchObject({
      class: 'TRANSIENT',
      error: { code: 'HTTP.CONNECTION_REFUSED' },
    });

    const reset = await raw((socket) => socket.resetAndDestroy());
    expect(await performing.http({ url: reset.url })).toMatchObject({
      class: 'TRANSIENT',
      error: { code: 'HTTP.CONNECTION_RESET' },
    });
    expect(reset.asked).toBe(1);

    const short = await raw((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n{"half":'));
    expect(await performing.http({ url: short.url })).toMatchObject({
      class: 'TRANSIENT',
      error: { code: 'HTTP.CONNECTION_RESET' },
    });

    const nonsense = await raw((socket) => socket.end('220 smtp.example ESMTP\r\n'));
    expect(await performing.http({ url: nonsense.url })).toMatchObject({
      class: 'TRANSIENT',
      error: { code: 'HTTP.ANSWER_INVALID' },
    });
  });

  it('calls a name that nobody has and a broken TLS handshake transient', async () => {
    const dns = await performing.http({ url: 'http://nobody.invalid/' });
    expect(dns).toMatchObject({ class: 'TRANSIENT', error: { code: 'HTTP.DNS_FAILED' } });
    const plain = await raw((socket) => socket.end('HTTP/1.1 400 no TLS here\r\n\r\n'));
    const tls = await performing.http({ url: `https://127.0.0.1:${plain.port}/` });
    expect(tls).toMatchObject({ class: 'TRANSIENT', error: { code: 'HTTP.TLS_FAILED' } });
  });

  it('ends at once when it is told to, and closes the connection', async () => {
    let closed = false;
    const silent = await raw((socket) => socket.once('close', () => (closed = true)));
    const controller = new AbortController();
    const outcome = begun(performing.http({ url: silent.url }, { signal: controller.signal }));
    await eventually(() => silent.asked === 1);
    controller.abort(new Error('timeout'));
    expect(await outcome).toEqual({ kind: 'interrupted' });
    await eventually(() => closed);
  });

  it('makes no call when it was told to end before', async () => {
    expect(await performing.http({ url: sink.url }, { signal: AbortSignal.abort(new Error('drain')) })).toEqual({
      kind: 'interrupted',
    });
    expect(sink.calls).toHaveLength(0);
  });

  it('stops reading an answer that is larger than an output may be', async () => {
    let sent = 0;
    const endless = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const more = () => {
        while (!socket.destroyed && socket.write('x'.repeat(65_536))) sent += 65_536;
      };
      socket.on('drain', more);
      more();
    });
    const outcome = await performing.http({ url: endless.url });
    expect(outcome).toMatchObject({ class: 'PERMANENT', error: { code: 'OUTPUT.TOO_LARGE' } });
    expect(sent).toBeLessThan(16_000_000);
    await eventually(() => [...endless.sockets].every((socket) => socket.destroyed));
  });

  it('allows 256 KiB in a child, 16 MiB at the top, and what the node says', async () => {
    sink.answer(() => ({ body: JSON.stringify('x'.repeat(300_000)) }));
    expect(await performing.http({ url: sink.url })).toMatchObject({ error: { code: 'OUTPUT.TOO_LARGE' } });
    expect((await performing.http({ url: sink.url }, { isTopLevel: true })).kind).toBe('succeeded');
    expect((await performing.http({ url: sink.url }, {}, { maxOutput: 400_000 })).kind).toBe('succeeded');
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
  ] as const)('unpacks %s, and no more of it than an output may have', async (coding, pack) => {
    let body = pack(Buffer.from('{"n": 9007199254740993}'));
    const server = createHttpServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': coding }).end(body),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      expect(outputOf(await performing.http({ url }))).toContain('"body":{"n": 9007199254740993}');
      body = pack(Buffer.alloc(50_000_000, 0x20));
      expect(await performing.http({ url })).toMatchObject({ class: 'PERMANENT', error: { code: 'OUTPUT.TOO_LARGE' } });
      body = Buffer.from('this is not packed at all');
      expect(await performing.http({ url })).toMatchObject({
        class: 'TRANSIENT',
        error: { code: 'HTTP.ANSWER_INVALID' },
      });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('keeps its connections for the next calls', async () => {
    const ports = new Set<number>();
    const server = createHttpServer((request, response) => {
      ports.add(request.socket.remotePort!);
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (let i = 0; i < 20; i++) await performing.http({ url });
    server.closeAllConnections();
    server.close();
    expect(ports.size).toBeLessThanOrEqual(2);
  });
});
