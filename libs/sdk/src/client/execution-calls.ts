import type { EngineCall } from './engine-call.js';
import { framesOf, type StreamFrame } from './event-stream.js';
import type {
  Attempt,
  Execution,
  ExecutionEvent,
  ExecutionRow,
  ExecutionState,
  FailureGroup,
  Lineage,
  LogLine,
  Notice,
  operations,
  Redriven,
  ResultLine,
  Why,
} from './openapi.generated.js';
import { itemsOf } from './pages.js';
import { resultLinesOf } from './result-lines.js';

export interface ExecutionFilters {
  readonly pipeline?: string;
  readonly state?: ExecutionState | ExecutionState[];
  /** `name=value` */
  readonly label?: string | string[];
  /** Children of this one. */
  readonly parent?: string;
  /** Everything below this one. */
  readonly root?: string;
  /** ISO 8601: created since. */
  readonly since?: string;
  readonly include?: ('input' | 'output')[];
}

export interface ChildFilters {
  /** The spawner, or its merge. */
  readonly node?: string;
  readonly state?: ExecutionState | ExecutionState[];
  readonly fingerprint?: string;
  readonly q?: string;
  readonly include?: ('input' | 'output')[];
}

type BodyOf<Name extends keyof operations> = operations[Name] extends {
  requestBody?: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;

const terminal: readonly string[] = ['SUCCEEDED', 'FAILED', 'CANCELLED'];
const attempts = 10;

/** Executions of an engine: looked at, followed, and acted on. */
export class ExecutionCalls {
  constructor(private readonly engine: EngineCall) {}

  get(id: string): Promise<Execution> {
    return this.engine.call('get', '/v1/executions/{id}', { params: { path: { id } } });
  }

  /**
   * The execution when it has settled, however long that takes.
   * @throws the reason of `signal`
   */
  async settled(id: string, { signal }: { signal?: AbortSignal } = {}): Promise<Execution> {
    for (;;) {
      const found = await this.engine.call('get', '/v1/executions/{id}', {
        params: { path: { id }, query: { wait: '30s' } },
        ...(signal ? { signal } : {}),
      });
      if (terminal.includes(found.state)) return found;
    }
  }

  /** Top-level executions, newest first, or those of a parent or below a root. */
  list(filters: ExecutionFilters = {}): AsyncGenerator<ExecutionRow, void> {
    return itemsOf((cursor) =>
      this.engine.call('get', '/v1/executions', { params: { query: { ...filters, cursor } } }),
    );
  }

  /** Children in item order. */
  children(id: string, filters: ChildFilters = {}): AsyncGenerator<ExecutionRow, void> {
    return itemsOf((cursor) =>
      this.engine.call('get', '/v1/executions/{id}/children', {
        params: { path: { id }, query: { ...filters, cursor } },
      }),
    );
  }

  /** The event log, numbered without gaps. */
  events(id: string, { after }: { after?: number } = {}): AsyncGenerator<ExecutionEvent, void> {
    const from = after === undefined ? {} : { after: String(after) };
    return itemsOf((cursor) =>
      this.engine.call('get', '/v1/executions/{id}/events', {
        params: { path: { id }, query: cursor === undefined ? from : { cursor } },
      }),
    );
  }

  attempts(id: string): AsyncGenerator<Attempt, void> {
    return itemsOf((cursor) =>
      this.engine.call('get', '/v1/executions/{id}/attempts', { params: { path: { id }, query: { cursor } } }),
    );
  }

  logs(id: string): AsyncGenerator<LogLine, void> {
    return itemsOf((cursor) =>
      this.engine.call('get', '/v1/executions/{id}/logs', { params: { path: { id }, query: { cursor } } }),
    );
  }

  notices(id: string): AsyncGenerator<Notice, void> {
    return itemsOf((cursor) =>
      this.engine.call('get', '/v1/executions/{id}/notices', { params: { path: { id }, query: { cursor } } }),
    );
  }

  /** Failed children, grouped by cause, the most frequent first. */
  async failures(id: string, query: { node?: string } = {}): Promise<FailureGroup[]> {
    const page = await this.engine.call('get', '/v1/executions/{id}/failures', { params: { path: { id }, query } });
    return page.items;
  }

  lineage(id: string): Promise<Lineage> {
    return this.engine.call('get', '/v1/executions/{id}/lineage', { params: { path: { id } } });
  }

  /** Why it is not progressing. */
  why(id: string): Promise<Why> {
    return this.engine.call('get', '/v1/executions/{id}/why', { params: { path: { id } } });
  }

  /** What a fan-out has given, in item order. */
  results(id: string, query: { node?: string } = {}): AsyncGenerator<ResultLine, void> {
    const init = { params: { path: { id }, query } };
    return resultLinesOf(() => this.engine.stream('/v1/executions/{id}/results', init), attempts);
  }

  /** The failed items as a file, in the format of their dataset. */
  failedItems(id: string, query: { node?: string } = {}): Promise<AsyncIterable<Uint8Array>> {
    return this.engine.stream('/v1/executions/{id}/failed-items', { params: { path: { id }, query } });
  }

  /**
   * Follows an execution to its end: a snapshot, then each event once and in order, across broken connections.
   * @param options `logs`: log lines too; `lastEventId`: go on behind that event; `signal`: leave
   */
  stream(
    id: string,
    options: { logs?: boolean; lastEventId?: string; signal?: AbortSignal } = {},
  ): AsyncGenerator<StreamFrame, void> {
    const { logs = false, ...rest } = options;
    const params = { path: { id }, query: logs ? { logs: '1' } : {} };
    return framesOf(
      (last, signal) => {
        const headers = last === undefined ? {} : { 'last-event-id': last };
        return this.engine.stream('/v1/executions/{id}/stream', { params, headers, signal });
      },
      { ...rest, attempts },
    );
  }

  pause(id: string, body: BodyOf<'ControlController_pause'> = {}): Promise<Execution> {
    return this.engine.call('post', '/v1/executions/{id}/pause', { params: { path: { id } }, body });
  }

  resume(id: string, body: BodyOf<'ControlController_resume'> = {}): Promise<Execution> {
    return this.engine.call('post', '/v1/executions/{id}/resume', { params: { path: { id } }, body });
  }

  cancel(id: string, body: BodyOf<'ControlController_cancel'> = {}): Promise<Execution> {
    return this.engine.call('post', '/v1/executions/{id}/cancel', { params: { path: { id } }, body });
  }

  /** Runs failed nodes again, or those from a node on. */
  retry(id: string, body: BodyOf<'ControlController_retry'> = {}): Promise<Execution> {
    return this.engine.call('post', '/v1/executions/{id}/retry', { params: { path: { id } }, body });
  }

  /** Runs failed children again, those that match. */
  redrive(id: string, body: BodyOf<'ControlController_redrive'> = {}): Promise<Redriven> {
    return this.engine.call('post', '/v1/executions/{id}/redrive', { params: { path: { id } }, body });
  }

  /** Changes the limits of a fan-out, in force at once. */
  changeFanOut(id: string, node: string, body: BodyOf<'ControlController_patch'>): Promise<Execution> {
    return this.engine.call('patch', '/v1/executions/{id}/fan-outs/{node}', { params: { path: { id, node } }, body });
  }

  /** Sends a signal; it is kept if nobody waits for it yet. */
  async signal(id: string, name: string, body: unknown = {}): Promise<void> {
    await this.engine.call('post', '/v1/executions/{id}/signals/{name}', { params: { path: { id, name } }, body });
  }

  /** Removes a settled top-level execution with everything below it. */
  async remove(id: string): Promise<void> {
    await this.engine.call('delete', '/v1/executions/{id}', { params: { path: { id } } });
  }
}
