import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** One call a destination got. */
export interface SinkCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The exact text of the body. */
  readonly body: string;
  /** Monotonic milliseconds of arrival. */
  readonly at: number;
}

export interface SinkAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly delayMs?: number;
  /** Ends the connection without an answer. */
  readonly drop?: boolean;
}

export type SinkBehaviour = (call: SinkCall, index: number) => SinkAnswer | Promise<SinkAnswer>;

/** A destination under the test's control: records every call, answers as told, and counts how many are open. */
export class Sink {
  readonly calls: SinkCall[] = [];
  inFlight = 0;
  mostInFlight = 0;
  /** Every change of how many are open, in monotonic milliseconds. */
  readonly changes: { readonly at: number; readonly inFlight: number }[] = [];
  private behaviour: SinkBehaviour = () => ({});

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => void this.serve(request, response));
  }

  static async start(behaviour?: SinkBehaviour): Promise<Sink> {
    const server = createServer();
    server.keepAliveTimeout = 60_000;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const sink = new Sink(server);
    if (behaviour) sink.behaviour = behaviour;
    return sink;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Answers differently from now on. */
  answer(behaviour: SinkBehaviour): void {
    this.behaviour = behaviour;
  }

  /** Calls per idempotency key: more than one is a repeated attempt. */
  callsByKey(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { headers } of this.calls) {
      const key = String(headers['idempotency-key']);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return counts;
  }

  reset(): void {
    this.calls.length = 0;
    this.changes.length = 0;
    this.mostInFlight = this.inFlight;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
    this.changes.push({ at: performance.now(), inFlight: this.inFlight });
    response.once('close', () => {
      this.inFlight -= 1;
      this.changes.push({ at: performance.now(), inFlight: this.inFlight });
    });
    const at = performance.now();
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const call: SinkCall = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
      at,
    };
    const index = this.calls.push(call) - 1;
    const { status = 200, headers = {}, body = '{}', delayMs = 0, drop = false } = await this.behaviour(call, index);
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    if (drop) return void request.socket.destroy();
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  }
}
