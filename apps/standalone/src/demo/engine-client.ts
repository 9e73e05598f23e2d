/** The little of the contract that the demo speaks. */
export interface FanOutView {
  readonly total: number | null;
  readonly spawned: number;
  readonly running: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly verdict: string;
  readonly round: number;
}

export interface ExecutionView {
  readonly id: string;
  readonly state: string;
  readonly error: { readonly message: string } | null;
  readonly fanOuts: readonly FanOutView[];
}

export class EngineClient {
  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  async call<T>(method: string, path: string, body?: object | Buffer, type = 'application/json'): Promise<T> {
    const response = await fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${this.key}`, ...(body ? { 'content-type': type } : {}) },
      ...(body ? { body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text.slice(0, 500)}`);
    return (text ? JSON.parse(text) : null) as T;
  }

  execution(id: string): Promise<ExecutionView> {
    return this.call('GET', `/v1/executions/${id}`);
  }
}
