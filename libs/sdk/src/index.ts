export * from './handlers/handler.js';
export * from './handlers/handler-error.js';
export * from './handlers/exact-json.js';
export * from './handlers/progress.js';
export { FanfoldClient } from './client/fanfold-client.js';
export type { AnswerOf, ClientOptions } from './client/engine-call.js';
export type { ClientRetry, Fetch } from './client/retrying-fetch.js';
export type { PipelineCalls, Start } from './client/pipeline-calls.js';
export type { DatasetCalls, DatasetFormat, UploadBody } from './client/dataset-calls.js';
export type { ChildFilters, ExecutionCalls, ExecutionFilters } from './client/execution-calls.js';
export type { StreamFrame } from './client/event-stream.js';
export { EngineAway, EngineRefused } from './client/engine-failure.js';
export { exactText, parseExact } from './client/exact-numbers.js';
export type * from './client/openapi.generated.js';
export { type, type Type } from './pipeline/type.js';
export type { DefinedPipeline } from './pipeline/defined-pipeline.js';
export { cel, text, type Ref, type Reference, type Resolved, type Templated } from './pipeline/reference.js';
export * from './pipeline/define-pipeline.js';
export {
  handlersOf,
  http,
  pipelineNode,
  script,
  shell,
  signal,
  transform,
  wait,
  type HttpConfig,
  type HttpOutput,
  type NodePolicy,
  type NodeSpec,
  type ScriptConfig,
  type ShellConfig,
} from './pipeline/node-kinds.js';
export * from './pipeline/fan-out-kinds.js';
