import { DatasetCalls } from './dataset-calls.js';
import { EngineCall, type ClientOptions } from './engine-call.js';
import { ExecutionCalls } from './execution-calls.js';
import { PipelineCalls } from './pipeline-calls.js';

/**
 * A client of a running engine. Calls are made again where the engine is away or busy, with one idempotency key, so that
 * each has its effect once; lists and streams are async iterators; integers that a JavaScript number would round are
 * `bigint`, both ways.
 *
 * What has no method of its own (destinations, schedules, quotas, …) is in `call`, typed by the OpenAPI document:
 * `client.call('put', '/v1/destinations/{name}', { params: { path: { name } }, body: { maxConcurrency: 50 } })`.
 */
export class FanfoldClient extends EngineCall {
  readonly pipelines: PipelineCalls;
  readonly datasets: DatasetCalls;
  readonly executions: ExecutionCalls;

  /** @throws TypeError where the address is none, or the key is missing */
  constructor(options: ClientOptions) {
    super(options);
    this.pipelines = new PipelineCalls(this);
    this.datasets = new DatasetCalls(this);
    this.executions = new ExecutionCalls(this);
  }
}
