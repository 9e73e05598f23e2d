import { setTimeout as sleep } from 'node:timers/promises';

const SETTLED = ['SUCCEEDED', 'FAILED', 'CANCELLED'];

/** The api as a program sees it: what does not succeed throws. */
export class ApiClient {
  constructor(url, key) {
    this.url = url;
    this.key = key;
  }

  publish(pipeline) {
    return this.#call('POST', '/v1/pipelines', { json: pipeline });
  }

  /** @param body a stream, a string or bytes */
  upload(name, format, body) {
    const type = { csv: 'text/csv', ndjson: 'application/x-ndjson' }[format];
    return this.#call('POST', `/v1/datasets?name=${name}&format=${format}`, { body, type });
  }

  start(pipeline, input) {
    return this.#call('POST', `/v1/pipelines/${pipeline}/executions`, { json: { input } });
  }

  limit(destination, limits) {
    return this.#call('PUT', `/v1/destinations/${destination}`, { json: limits });
  }

  get(path) {
    return this.#call('GET', path, { timeoutMs: 60_000 });
  }

  post(path, json = {}) {
    return this.#call('POST', path, { json });
  }

  why(id) {
    return this.#call('GET', `/v1/executions/${id}/why`, { timeoutMs: 10_000 });
  }

  execution(id) {
    return this.#call('GET', `/v1/executions/${id}`, { timeoutMs: 10_000 });
  }

  /** Waits for as long as it takes. An api that is away meanwhile is asked again, an execution that does not exist is not. */
  async settled(id) {
    for (;;) {
      try {
        const execution = await this.#call('GET', `/v1/executions/${id}?wait=60s`, { timeoutMs: 90_000 });
        if (SETTLED.includes(execution.state)) return execution;
      } catch (error) {
        if (error.status < 500) throw error;
        await sleep(100);
      }
    }
  }

  async #call(
    method,
    path,
    { json, body = JSON.stringify(json), type = 'application/json', timeoutMs = 3_600_000 } = {},
  ) {
    const response = await fetch(this.url + path, {
      method,
      body,
      duplex: 'half',
      signal: AbortSignal.timeout(timeoutMs),
      headers: { authorization: `Bearer ${this.key}`, ...(body !== undefined && { 'content-type': type }) },
    });
    const text = await response.text();
    if (response.ok) return JSON.parse(text);
    throw Object.assign(new Error(`${method} ${path} gave ${response.status}: ${text.slice(0, 500)}`), {
      status: response.status,
    });
  }
}
