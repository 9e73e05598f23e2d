import type { Agent, Dispatcher } from 'undici';
import { AttemptFailure } from '../performance.js';

export interface CallRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** What came back, as it came over the wire. */
export interface CallAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** There was more body than was asked for; reading stopped. */
  readonly isCut: boolean;
}

/**
 * One exchange over the agent. The body is read up to `mostBytes(status)`; what is longer is not read on.
 * Rejects at once when the signal is aborted: a call that has not left yet is then never made.
 */
export function call(
  agent: Agent,
  request: CallRequest,
  signal: AbortSignal,
  mostBytes: (status: number) => number,
): Promise<CallAnswer> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const exchange = new Exchange(mostBytes, resolve, reject);
    const onAbort = (): void => exchange.abort(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    exchange.onEnd = () => signal.removeEventListener('abort', onAbort);
    agent.dispatch(
      {
        origin: request.url.origin,
        path: request.url.pathname + request.url.search,
        method: request.method as Dispatcher.HttpMethod,
        headers: request.headers,
        body: request.body,
      },
      exchange,
    );
  });
}

class Exchange implements Dispatcher.DispatchHandler {
  onEnd: () => void = () => undefined;
  private controller: Dispatcher.DispatchController | null = null;
  private aborted: Error | null = null;
  private settled = false;
  private status = 0;
  private headers: [string, string][] = [];
  private chunks: Buffer[] = [];
  private bytes = 0;
  private most = 0;

  constructor(
    private readonly mostBytes: (status: number) => number,
    private readonly resolve: (answer: CallAnswer) => void,
    private readonly reject: (error: Error) => void,
  ) {}

  abort(reason: Error): void {
    this.aborted = reason;
    this.controller?.abort(reason);
    this.settle(() => this.reject(reason));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.aborted) controller.abort(this.aborted);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (status < 200) return;
    this.status = status;
    this.most = this.mostBytes(status);
    this.headers = pairs(controller.rawHeaders ?? []);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.settled) return;
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    if (this.bytes <= this.most) return;
    this.finish(true);
    controller.abort(new Error('the rest of the answer is not wanted'));
  }

  onResponseEnd(): void {
    this.finish(false);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.settle(() => this.reject(error));
  }

  onRequestUpgrade(
    _controller: Dispatcher.DispatchController,
    _status: number,
    _headers: unknown,
    socket: { destroy(): unknown },
  ): void {
    socket.destroy();
    this.settle(() =>
      this.reject(
        new AttemptFailure('PERMANENT', 'HTTP.ANSWER_INVALID', 'the destination switched to another protocol'),
      ),
    );
  }

  private finish(isCut: boolean): void {
    const body = Buffer.concat(this.chunks).subarray(0, this.most);
    this.settle(() => this.resolve({ status: this.status, headers: this.headers, body, isCut }));
  }

  private settle(settle: () => void): void {
    if (this.settled) return;
    this.settled = true;
    this.onEnd();
    settle();
  }
}

function pairs(raw: NonNullable<Dispatcher.DispatchController['rawHeaders']>): [string, string][] {
  const list = raw as readonly (Buffer | string)[];
  const headers: [string, string][] = [];
  for (let i = 0; i + 1 < list.length; i += 2) headers.push([text(list[i]!).toLowerCase(), text(list[i + 1]!)]);
  return headers;
}

function text(value: Buffer | string): string {
  return typeof value === 'string' ? value : value.toString('latin1');
}
