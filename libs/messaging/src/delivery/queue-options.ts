import type { PayloadSchema } from './payload-schema.js';

/** How a queue is consumed. */
export interface QueueOptions {
  /** Messages one call of the handler gets at most. It gets what has arrived; it never waits for more. Default 100. */
  readonly batch?: number;
  /** Messages the broker may hand over before they are acknowledged. Default two batches, so one arrives during the other. */
  readonly prefetch?: number;
  /** Calls of the handler at once in this process. Default 1: the next batch is what arrived meanwhile. */
  readonly concurrency?: number;
  /**
   * The broker is asked for no more messages than there is capacity for, and anew when that changes much. It keeps messages in order where
   * each needs a place of its own and there are few, and costs a round trip each time. Default: false.
   */
  readonly tight?: boolean;
  /** What a payload must look like; anything else goes to the dead letters. Default: a JSON object. */
  readonly schema?: PayloadSchema;
}

/** Gets the payloads of one batch. What it throws is logged; the messages are acknowledged all the same. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the payload is what the queue's schema says
export type QueueHandler = (payloads: any[]) => unknown;

/** One queue, its handler, and every option settled. */
export interface QueueBinding {
  readonly queue: string;
  readonly handler: QueueHandler;
  readonly batch: number;
  readonly prefetch: number;
  readonly concurrency: number;
  readonly tight: boolean;
  readonly schema: PayloadSchema | undefined;
}

export const bindQueue = (queue: string, handler: QueueHandler, options: QueueOptions): QueueBinding => {
  const batch = options.batch ?? 100;
  const concurrency = options.concurrency ?? 1;
  const prefetch = options.prefetch ?? batch * (concurrency + 1);
  for (const [name, value] of Object.entries({ batch, concurrency, prefetch }))
    if (!Number.isInteger(value) || value < 1 || value > 65_535)
      throw new RangeError(`${name} of queue ${queue} must be a whole number from 1 to 65535`);
  return { queue, handler, batch, prefetch, concurrency, tight: options.tight ?? false, schema: options.schema };
};
