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
export class FanfoldClient {
  /**
   * One call of the OpenAPI document: method, path, and what goes with it.
   * @throws EngineRefused with the problem document; EngineAway where nobody answers
   */
  readonly call: EngineCall['call'];
  readonly pipelines: PipelineCalls;
  readonly datasets: DatasetCalls;
  readonly executions: ExecutionCalls;

  /** @throws TypeError where the address is none, or the key is missing */
  constructor(options: ClientOptions) {
    const engine = new EngineCall(options);
    this.call = engine.call.bind(engine) as EngineCall['call'];
    this.pipelines = new PipelineCalls(engine);
    this.datasets = new DatasetCalls(engine);
    this.executions = new ExecutionCalls(engine);
  }
}
