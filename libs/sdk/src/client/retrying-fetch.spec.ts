import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { EngineAway } from './engine-failure.js';
import { FanfoldClient } from './fanfold-client.js';
import { pause } from './pause.js';
import { delayMs } from './retrying-fetch.js';

interface Seen {
  readonly method: string;
  readonly key: string | undefined;
  readonly body: string;
}

/** An engine that answers as it is told, in turn; the last answer stays. */
class Answers {
  readonly seen: Seen[] = [];
  private constructor(private readonly server: Server) {}

  static async of(
    ...answers: { status: number; headers?: Record<string, string>; body?: string; cut?: boolean }[]
  ): Promise<Answers> {
    const server = createServer((request, response) => {
      void textOf(request).then((body) => {
        const {
          status,
          headers = {},
          body: text = '{}',
          cut = false,
        } = answers[Math.min(all.seen.length, answers.length - 1)]!;
        all.seen.push({ method: request.method!, key: request.headers['idempotency-key'] as string, body });
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        if (!cut) return void response.end(text);
        // What was written leaves first.
        response.write(text, () => response.destroy());
      });
    });
    const all = new Answers(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return all;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  client(attempts = 5): FanfoldClient {
    return new FanfoldClient({ url: this.url, apiKey: 'k', retry: { attempts, firstDelayMs: 1 } });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const part of request) text += String(part);
  return text;
};

describe('a call that is made again', () => {
  let answers: Answers;
  afterEach(() => answers.close());

  it('carries the same key and the same body each time, and another call another key', async () => {
    answers = await Answers.of(
      { status: 503 },
      { status: 429 },
      { status: 409, headers: { 'retry-after': '0' } },
      { status: 201 },
    );
    const client = answers.client();
    await client.pipelines.start('p', { input: { id: 9_007_199_254_740_993n } });
    await client.pipelines.start('p', { idempotencyKey: 'mine' });
    expect(answers.seen.map(({ method }) => method)).toEqual(Array(5).fill('POST'));
    const [first, ...again] = answers.seen.slice(0, 4);
    expect(first!.body).toBe('{"input":{"id":9007199254740993}}');
    for (const one of again) expect(one).toEqual(first);
    expect(answers.seen[4]!.key).toBe('mine');
    expect(first!.key).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('is one whose answer was cut off', async () => {
    answers = await Answers.of({ status: 200, body: '{"name": ', cut: true }, { status: 200, body: '{"name": "p"}' });
    expect(await answers.client().pipelines.get('p')).toEqual({ name: 'p' });
    expect(answers.seen).toHaveLength(2);
  });

  it('is one that the engine refused for now, and no other', async () => {
    const body = '{"code": "EXECUTION.KEY_IN_USE", "detail": "taken"}';
    answers = await Answers.of({ status: 409, body });
    await expect(answers.client().pipelines.start('p')).rejects.toMatchObject({
      status: 409,
      code: 'EXECUTION.KEY_IN_USE',
    });
    expect(answers.seen).toHaveLength(1);
  });

  it('is told as it was answered the last time, when it was made often enough', async () => {
    answers = await Answers.of({ status: 503, body: 'no JSON at all' });
    await expect(answers.client(3).executions.get('x')).rejects.toMatchObject({ status: 503, code: 'UNKNOWN' });
    expect(answers.seen).toHaveLength(3);
  });

  it('ends with the reason of the caller, while it waits too', async () => {
    answers = await Answers.of({ status: 503, headers: { 'retry-after': '60' } });
    const leaving = new AbortController();
    const reason = new Error('left');
    const call = answers.client().call('get', '/v1/pipelines', { signal: leaving.signal });
    leaving.abort(reason);
    await expect(call).rejects.toBe(reason);
    const later = new AbortController();
    const waiting = pause(60_000, later.signal);
    later.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });

  it('shows nobody the key', async () => {
    answers = await Answers.of({ status: 404, body: '{"detail": "gone"}' });
    const client = new FanfoldClient({ url: answers.url, apiKey: 'a-secret-key' });
    const refused = await client.pipelines.get('p').catch((error: unknown) => error);
    expect(inspect([client, refused], { depth: 20, showHidden: true })).not.toContain('a-secret-key');
  });

  it('says where nobody was, when nobody is there', async () => {
    answers = await Answers.of({ status: 200 });
    const client = answers.client(2);
    await answers.close();
    await expect(client.pipelines.get('p')).rejects.toThrow(EngineAway);
    answers = await Answers.of({ status: 200 });
  });
});

describe('the time between two calls', () => {
  it('doubles up to its bound, spread over its half, unless the engine names one', () => {
    const delays = [1, 2, 3, 4, 10].map((attempt) => delayMs(attempt, null, {}, () => 1));
    expect(delays).toEqual([200, 400, 800, 1_600, 5_000]);
    expect(delayMs(1, null, {}, () => 0)).toBe(100);
    expect(delayMs(1, '7', {}, () => 0)).toBe(7_000);
    expect(delayMs(1, '86400', {}, () => 0)).toBe(60_000);
    expect(delayMs(1, 'tomorrow', {}, () => 0)).toBe(100);
  });
});
