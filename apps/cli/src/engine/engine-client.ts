import { CommandFailed } from '../usage-error.js';
import { nextStepOf } from './next-step.js';

/** What a refusal says; members beside these are facts of its code. */
export interface Problem {
  readonly code?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
  readonly [fact: string]: unknown;
}

/** The engine answered, and said no. */
export class EngineRefused extends CommandFailed {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly problem: Problem,
    request: string,
  ) {
    const why = problem.detail ?? problem.title ?? 'refused';
    const told = (problem.errors ?? [])
      .slice(0, 10)
      .map(({ path, message }) => `${path}: ${message}`)
      // One that is the whole refusal is said already.
      .filter((words) => words !== why)
      .map((words) => `\n  ${words}`);
    const next = nextStepOf(code);
    super(`${why} (${request} → ${status} ${code})${told.join('')}${next === null ? '' : `; ${next}`}`);
  }
}

/** Nobody answered at the engine's address. */
export class EngineAway extends CommandFailed {}

export interface Address {
  readonly url: string;
  readonly apiKey: string;
}

export interface Sending {
  /** Made JSON; with a `type` it goes out as it is, text or stream. */
  readonly body?: unknown;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** The HTTP contract of a running engine. */
export class EngineClient {
  constructor(readonly address: Address) {}

  async json<T>(method: string, path: string, sending: Sending = {}): Promise<T> {
    const text = await this.text(method, path, sending);
    return (text === '' ? null : JSON.parse(text)) as T;
  }

  /** The answer as the text it is: payloads in it keep every digit. */
  async text(method: string, path: string, sending: Sending = {}): Promise<string> {
    const response = await this.request(method, path, sending);
    return read(() => response.text(), this.address.url);
  }

  /** The body as it comes, for results of any size. */
  async stream(path: string): Promise<AsyncIterable<Uint8Array>> {
    const response = await this.request('GET', path, {});
    return whole((response.body ?? []) as AsyncIterable<Uint8Array>, this.address.url);
  }

  /** All pages of a collection, one item after the other. */
  async *pages<T>(path: string): AsyncGenerator<T> {
    for (let cursor: string | null = null; ;) {
      const more: string =
        cursor === null ? '' : `${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`;
      const page: { items: T[]; nextCursor: string | null } = await this.json('GET', path + more);
      yield* page.items;
      cursor = page.nextCursor;
      if (cursor === null) return;
    }
  }

  private async request(method: string, path: string, { body, type, headers, signal }: Sending): Promise<Response> {
    const isStream = type !== undefined;
    const sent = body === undefined ? undefined : isStream ? body : JSON.stringify(body);
    const response = await read(
      () =>
        fetch(this.address.url + path, {
          method,
          headers: {
            authorization: `Bearer ${this.address.apiKey}`,
            ...(sent === undefined ? {} : { 'content-type': type ?? 'application/json' }),
            ...headers,
          },
          ...(sent === undefined ? {} : { body: sent as string }),
          ...(isStream ? { duplex: 'half' } : {}),
          ...(signal ? { signal } : {}),
        } as RequestInit),
      this.address.url,
    );
    if (response.ok) return response;
    const text = await read(() => response.text(), this.address.url);
    throw refusal(response.status, text, `${method} ${path.replace(/\?.*$/, '')}`);
  }
}

/** The parts of a body; one that is cut off is told as what it is: the engine is away. */
async function* whole(parts: AsyncIterable<Uint8Array>, url: string): AsyncGenerator<Uint8Array> {
  try {
    yield* parts;
  } catch {
    throw new EngineAway(`the engine at ${url} went away in the middle of an answer`);
  }
}

function refusal(status: number, text: string, request: string): EngineRefused | EngineAway {
  let problem: Problem = {};
  try {
    problem = JSON.parse(text) as Problem;
  } catch {
    problem = { detail: text.slice(0, 200) || 'no reason was given' };
  }
  // An engine that is about to end says so; whoever comes next can be asked again.
  if (status === 502 || status === 503) return new EngineAway(problem.detail ?? 'the engine is not ready');
  if (status === 401)
    problem = {
      ...problem,
      detail: 'the engine does not know this API key; set FANFOLD_API_KEY, or name a file with --key-file',
    };
  return new EngineRefused(status, problem.code ?? 'UNKNOWN', problem, request);
}

async function read<T>(work: () => Promise<T>, url: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CommandFailed || (error as Error).name === 'AbortError') throw error;
    const { cause } = error as { cause?: { code?: string } };
    throw new EngineAway(`no engine answers at ${url} (${cause?.code ?? (error as Error).message}); is it running?`);
  }
}
