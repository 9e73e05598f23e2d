import createClient, { type Client, type MaybeOptionalInit } from 'openapi-fetch';
import type {
  HttpMethod,
  PathsWithMethod,
  RequiredKeysOf,
  ResponseObjectMap,
  SuccessResponse,
} from 'openapi-typescript-helpers';
import { EngineRefused } from './engine-failure.js';
import { exactText, parseExact } from './exact-numbers.js';
import type { paths, Problem } from './openapi.generated.js';
import { retryingFetch, type ClientRetry, type Fetch } from './retrying-fetch.js';

export interface ClientOptions {
  /** Where the engine is: `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly apiKey: string;
  readonly retry?: ClientRetry;
  /** Instead of the `fetch` of the platform. */
  readonly fetch?: Fetch;
}

/** What a call answers when it succeeds. */
export type AnswerOf<Path extends keyof paths, Method extends keyof paths[Path]> =
  paths[Path][Method] extends Record<string | number, unknown>
    ? SuccessResponse<ResponseObjectMap<paths[Path][Method]>, 'application/json'>
    : never;

type Given<Init> = RequiredKeysOf<Init> extends never ? [init?: Init] : [init: Init];

/** The calls of the OpenAPI document, with their types. The key is nowhere to be read from it. */
export class EngineCall {
  private readonly client: Client<paths>;
  private readonly fetchOnce: Fetch;
  private readonly fetchStream: Fetch;

  /** @throws TypeError where the address is none */
  constructor({ url, apiKey, retry = {}, fetch = (request) => globalThis.fetch(request) }: ClientOptions) {
    if (!URL.canParse(url) || !/^https?:/.test(url))
      throw new TypeError(`url: ${url} is no address of an engine, such as http://127.0.0.1:3000`);
    if (!apiKey) throw new TypeError('apiKey: is missing');
    const whole: Fetch = async (request) => wholeAnswer(await fetch(request));
    this.fetchOnce = retryingFetch(whole, { attempts: 1 }, Math.random);
    this.fetchStream = retryingFetch(fetch, retry, Math.random);
    this.client = createClient<paths>({
      baseUrl: url,
      headers: { authorization: `Bearer ${apiKey}` },
      fetch: retryingFetch(whole, retry, Math.random),
      bodySerializer: exactText,
    });
  }

  /**
   * One call: path, parameters and body as the document has them. A POST carries an idempotency key of its own unless
   * `params.header` has one. The answer is its parsed JSON; integers that a number would round are `bigint`.
   * @throws EngineRefused with the problem document; EngineAway where nobody answers
   */
  async call<
    Method extends HttpMethod,
    Path extends PathsWithMethod<paths, Method>,
    Init extends MaybeOptionalInit<paths[Path], Method>,
  >(method: Method, path: Path, ...given: Given<Init>): Promise<AnswerOf<Path, Method & keyof paths[Path]>> {
    const data = await this.sent(method, path, { ...(given[0] as object), parseAs: 'text' });
    return (typeof data === 'string' && data !== '' ? parseExact(data) : undefined) as never;
  }

  /**
   * The body of an answer as it comes, for what is of any size.
   * @throws EngineRefused, EngineAway
   */
  async stream(path: string, init: object): Promise<AsyncIterable<Uint8Array>> {
    const body = await this.sent('get', path, { ...init, parseAs: 'stream', fetch: this.fetchStream });
    return (body ?? []) as AsyncIterable<Uint8Array>;
  }

  /** A body that goes out as it is. Where it is a stream it is sent once. */
  async upload<Answer>(path: string, init: object, body: unknown): Promise<Answer> {
    const once =
      typeof body === 'string' || body instanceof Uint8Array ? {} : { fetch: this.fetchOnce, duplex: 'half' };
    const more = { body, bodySerializer: (given: unknown) => given, parseAs: 'text', ...once };
    return parseExact((await this.sent('post', path, { ...init, ...more })) as string) as Answer;
  }

  private async sent(method: string, path: string, init: object): Promise<unknown> {
    const keyed = method === 'post' ? { 'Idempotency-Key': crypto.randomUUID(), ...headersOf(init) } : headersOf(init);
    const send = this.client.request as unknown as (
      ...request: unknown[]
    ) => Promise<{ data?: unknown; error?: unknown; response: Response }>;
    const { data, error, response } = await send(method, path, { ...init, headers: keyed });
    if (response.ok) return data;
    const problem =
      typeof error === 'object' && error !== null
        ? (error as Problem)
        : { detail: typeof error === 'string' ? error : '' };
    throw new EngineRefused(response.status, problem, `${method.toUpperCase()} ${path}`);
  }
}

/** An answer with all of its body, so that one that is cut off counts as none. */
async function wholeAnswer(response: Response): Promise<Response> {
  const { status, statusText, headers } = response;
  const body = await response.arrayBuffer();
  return new Response(body.byteLength === 0 ? null : body, { status, statusText, headers });
}

function headersOf(init: object): Record<string, string> {
  const { params, headers } = init as {
    params?: { header?: Record<string, string> };
    headers?: Record<string, string>;
  };
  return { ...params?.header, ...headers };
}
