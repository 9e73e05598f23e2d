import type { DefinedPipeline } from '../pipeline/defined-pipeline.js';
import type { EngineCall } from './engine-call.js';
import type {
  Execution,
  Pipeline,
  PipelineRow,
  PipelineVersion,
  PipelineVersionRow,
  PublishedPipeline,
} from './openapi.generated.js';
import { itemsOf } from './pages.js';

/** How an execution is started. */
export interface Start<Input> {
  readonly input?: Input;
  readonly labels?: Readonly<Record<string, string>>;
  /** 0 to 9, 9 first; default 5. */
  readonly priority?: number;
  /** Of the pipeline; default: the newest. */
  readonly version?: number;
  /** A business key: at most one open execution of the pipeline per key. */
  readonly key?: string;
  /** Makes a start that your program repeats after a crash the same start; default: one for each call. */
  readonly idempotencyKey?: string;
}

/** Pipelines of an engine, and their executions' start. */
export class PipelineCalls {
  constructor(private readonly engine: EngineCall) {}

  /**
   * Publishes a definition, one of `definePipeline` or plain JSON; the same definition again gives the same version.
   * @throws EngineRefused `PIPELINE.INVALID` with every defect in `errors`
   */
  publish(
    pipeline: DefinedPipeline | { readonly name: string; readonly nodes: readonly unknown[] },
  ): Promise<PublishedPipeline> {
    const body = ('definition' in pipeline ? pipeline.definition : pipeline) as { name: string; nodes: unknown[] };
    return this.engine.call('post', '/v1/pipelines', { body });
  }

  /** Starts an execution, of a defined pipeline with the input it is typed to take. */
  start<Input = unknown>(pipeline: string | DefinedPipeline<Input>, start: Start<Input> = {}): Promise<Execution> {
    const { idempotencyKey, ...body } = start;
    const name = typeof pipeline === 'string' ? pipeline : pipeline.name;
    const header = idempotencyKey === undefined ? {} : { header: { 'Idempotency-Key': idempotencyKey } };
    return this.engine.call('post', '/v1/pipelines/{name}/executions', {
      params: { path: { name }, ...header },
      body: body as { labels?: Record<string, string> },
    });
  }

  get(name: string): Promise<Pipeline> {
    return this.engine.call('get', '/v1/pipelines/{name}', { params: { path: { name } } });
  }

  version(name: string, version: number): Promise<PipelineVersion> {
    const path = { name, version: String(version) };
    return this.engine.call('get', '/v1/pipelines/{name}/versions/{version}', { params: { path } });
  }

  /** All pipelines, by name. */
  list(): AsyncGenerator<PipelineRow, void> {
    return itemsOf((cursor) => this.engine.call('get', '/v1/pipelines', { params: { query: { cursor } } }));
  }

  /** Versions of a pipeline, newest first. */
  versions(name: string): AsyncGenerator<PipelineVersionRow, void> {
    return itemsOf((cursor) =>
      this.engine.call('get', '/v1/pipelines/{name}/versions', { params: { path: { name }, query: { cursor } } }),
    );
  }

  /** Allows or forbids new executions. */
  enable(name: string, enabled: boolean): Promise<Pipeline> {
    return this.engine.call('patch', '/v1/pipelines/{name}', { params: { path: { name } }, body: { enabled } });
  }

  /** Takes it out of the catalogue. @throws EngineRefused 409 while executions of it are open */
  async remove(name: string): Promise<void> {
    await this.engine.call('delete', '/v1/pipelines/{name}', { params: { path: { name } } });
  }
}
