import type { EventView, ExecutionView, FanOutView, LogLineView } from './execution.js';

/**
 * What `GET …/stream` tells. `state` and `node` frames carry the number of their event as `id`, a `snapshot` that of the
 * last event it includes; the others have none.
 */
export type StreamFrame =
  | { readonly event: 'snapshot'; readonly id: string; readonly data: ExecutionView }
  | { readonly event: 'state' | 'node'; readonly id: string; readonly data: EventView }
  | { readonly event: 'progress'; readonly data: { readonly fanOuts: readonly FanOutView[] } }
  | { readonly event: 'log'; readonly data: LogLineView }
  | { readonly event: 'end'; readonly data: { readonly state: string | null; readonly deleted?: true } };
