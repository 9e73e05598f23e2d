import type { EngineCall } from './engine-call.js';
import { exactText } from './exact-numbers.js';
import type { Dataset } from './openapi.generated.js';
import { itemsOf } from './pages.js';

const mediaTypes = { csv: 'text/csv', ndjson: 'application/x-ndjson', json: 'application/json' } as const;

export type DatasetFormat = keyof typeof mediaTypes;
/** Text, bytes, or a stream of bytes. */
export type UploadBody = string | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** Lists that are uploaded once and read by executions. */
export class DatasetCalls {
  constructor(private readonly engine: EngineCall) {}

  /**
   * Uploads a file of any size. A text or bytes are sent again where the connection breaks; a stream can be sent once.
   * @throws EngineRefused 422 with row and column of a defect
   */
  upload(
    name: string,
    format: DatasetFormat,
    body: UploadBody,
    { separator, gzip = false, signal }: { separator?: string; gzip?: boolean; signal?: AbortSignal } = {},
  ): Promise<Dataset> {
    const headers = { 'content-type': mediaTypes[format], ...(gzip ? { 'content-encoding': 'gzip' } : {}) };
    const query = { name, format, ...(separator === undefined ? {} : { separator }) };
    return this.engine.upload('/v1/datasets', { params: { query }, headers, ...(signal ? { signal } : {}) }, body);
  }

  /** Uploads what a program makes, item by item, without holding it: integers of any size go as `bigint`. */
  uploadItems(
    name: string,
    items: Iterable<unknown> | AsyncIterable<unknown>,
    options: { signal?: AbortSignal } = {},
  ): Promise<Dataset> {
    return this.upload(name, 'ndjson', linesOf(items), options);
  }

  get(id: string): Promise<Dataset> {
    return this.engine.call('get', '/v1/datasets/{id}', { params: { path: { id } } });
  }

  /** All datasets, newest first. */
  list(filters: { name?: string } = {}): AsyncGenerator<Dataset, void> {
    return itemsOf((cursor) => this.engine.call('get', '/v1/datasets', { params: { query: { ...filters, cursor } } }));
  }

  /** The items of a dataset, in order. */
  items(id: string): AsyncGenerator<unknown, void> {
    return itemsOf((cursor) =>
      this.engine.call('get', '/v1/datasets/{id}/items', { params: { path: { id }, query: { cursor, limit: 1_000 } } }),
    );
  }

  async remove(id: string): Promise<void> {
    await this.engine.call('delete', '/v1/datasets/{id}', { params: { path: { id } } });
  }
}

const enough = 64 * 1_024;

/** In parts of some size: a part for each item would cost a write each. */
async function* linesOf(items: Iterable<unknown> | AsyncIterable<unknown>): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  let text = '';
  for await (const item of items) {
    text += `${exactText(item)}\n`;
    if (text.length < enough) continue;
    yield encoder.encode(text);
    text = '';
  }
  if (text !== '') yield encoder.encode(text);
}
