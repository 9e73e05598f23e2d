export interface Reply {
  readonly status: number;
  readonly text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- whatever the api answers
  readonly json: any;
  readonly headers: Headers;
}

export interface FanOutView {
  readonly nodeId: string;
  readonly generation: number;
  readonly round: number;
  readonly total: number | null;
  readonly spawned: number;
  readonly sealed: boolean;
  readonly pending: number;
  readonly ready: number;
  readonly running: number;
  readonly paused: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly verdict: string;
  readonly attached: number;
}

export interface ExecutionView {
  readonly id: string;
  readonly state: string;
  readonly parentId: string | null;
  readonly rootId: string;
  readonly itemIndex: number | null;
  readonly itemKey: string | null;
  readonly attempt: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- any JSON
  readonly output: any;
  readonly error: { class: string; code: string; message: string; status?: number } | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly nodes: { id: string; type: string; state: string; attempt: number }[];
  readonly fanOuts: FanOutView[];
  readonly openDescendants: number;
}

export interface EventView {
  readonly seq: number;
  readonly type: string;
  readonly at: string;
  readonly nodeId?: string;
  readonly attempt?: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- differs by type
  readonly data: any;
}

export interface AttemptView {
  readonly nodeId: string;
  readonly attempt: number;
  readonly charged: boolean;
  readonly executor: string | null;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly outcome: string | null;
  readonly error: { class: string; code: string; message: string } | null;
}

/** The api as a program sees it: requests that must succeed throw with what came instead. */
export class ApiClient {
  constructor(
    readonly url: string,
    readonly key: string,
  ) {}

  /** Strings and bytes go as they are, everything else as JSON. */
  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(this.url + path, {
      method,
      signal: AbortSignal.timeout(120_000),
      body: body === undefined ? undefined : raw ? (body as string) : JSON.stringify(body),
      headers: {
        authorization: `Bearer ${this.key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    const text = await response.text();
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      json = undefined;
    }
    return { status: response.status, text, json, headers: response.headers };
  }

  /** The JSON of an answer that must have one of the given statuses. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- whatever the api answers
  async need(expected: number | readonly number[], ...request: Parameters<ApiClient['call']>): Promise<any> {
    const reply = await this.call(...request);
    if (![expected].flat().includes(reply.status))
      throw new Error(
        `${request[0]} ${request[1]} gave ${reply.status}, not ${String(expected)}: ${reply.text.slice(0, 600)}`,
      );
    return reply.json;
  }

  publish(definition: object): Promise<{ name: string; version: number }> {
    return this.need([200, 201], 'POST', '/v1/pipelines', definition);
  }

  start(pipeline: string, input: unknown, more: object = {}): Promise<ExecutionView> {
    return this.need(201, 'POST', `/v1/pipelines/${pipeline}/executions`, { input, ...more });
  }

  execution(id: string): Promise<ExecutionView> {
    return this.need(200, 'GET', `/v1/executions/${id}`);
  }

  act(id: string, command: string, body: object = {}): Promise<ExecutionView> {
    return this.need(200, 'POST', `/v1/executions/${id}/${command}`, body);
  }

  redrive(id: string, filter: object): Promise<{ matched: number; redriven: number }> {
    return this.need(200, 'POST', `/v1/executions/${id}/redrive`, filter);
  }

  upload(
    name: string,
    format: 'csv' | 'ndjson' | 'json',
    body: string | Uint8Array,
  ): Promise<{ id: string; itemCount: number; columns: string[] }> {
    const type = { csv: 'text/csv', ndjson: 'application/x-ndjson', json: 'application/json' }[format];
    return this.need(201, 'POST', `/v1/datasets?name=${name}&format=${format}`, body, { 'content-type': type });
  }

  /** Says what a destination allows. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- whatever the api answers
  limit(destination: string, limits: object): Promise<any> {
    return this.need([200, 201], 'PUT', `/v1/destinations/${destination}`, limits);
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- whatever the api answers
  destination(name: string): Promise<any> {
    return this.need(200, 'GET', `/v1/destinations/${name}`);
  }

  /** Every page of a collection. */
  async all<Row>(path: string, limit = 1_000): Promise<Row[]> {
    const rows: Row[] = [];
    let cursor: string | null = null;
    do {
      const query: string = `limit=${limit}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
      const page = await this.need(200, 'GET', `${path}${path.includes('?') ? '&' : '?'}${query}`);
      rows.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return rows;
  }

  children(id: string, query = ''): Promise<ExecutionView[]> {
    return this.all(`/v1/executions/${id}/children${query && `?${query}`}`);
  }

  events(id: string): Promise<EventView[]> {
    return this.all(`/v1/executions/${id}/events`);
  }

  attempts(id: string): Promise<AttemptView[]> {
    return this.all(`/v1/executions/${id}/attempts`);
  }

  /** The lines of a fan-out's results, as they were sent. */
  async resultLines(id: string, node?: string): Promise<string[]> {
    const reply = await this.call('GET', `/v1/executions/${id}/results${node ? `?node=${node}` : ''}`);
    if (reply.status !== 200) throw new Error(`results gave ${reply.status}: ${reply.text.slice(0, 400)}`);
    return reply.text.split('\n').filter((line) => line !== '');
  }

  async settled(id: string, timeoutMs = 150_000): Promise<ExecutionView> {
    const end = performance.now() + timeoutMs;
    let last: ExecutionView;
    do {
      last = await this.need(200, 'GET', `/v1/executions/${id}?wait=10s`);
      if (['SUCCEEDED', 'FAILED', 'CANCELLED'].includes(last.state)) return last;
    } while (performance.now() < end);
    const { state, fanOuts, error, nodes } = last;
    const why = await this.call('GET', `/v1/executions/${id}/why`);
    throw new Error(
      `not settled in ${timeoutMs} ms: ${JSON.stringify({ state, fanOuts, error, nodes })}\nwhy: ${why.text.slice(0, 800)}`,
    );
  }

  /** Starts, and waits for the end. */
  async run(pipeline: string, input: unknown, timeoutMs?: number): Promise<ExecutionView> {
    return this.settled((await this.start(pipeline, input)).id, timeoutMs);
  }
}
