import type { Options } from 'amqplib';
import { DEAD_LETTER_LIMIT, DEAD_LETTER_QUEUE } from '../delivery/dead-letter.js';

/** A queue as the broker must have it. Whoever comes first, publisher or consumer, declares the same. */
export interface QueuePolicy {
  readonly name: string;
  readonly options: Options.AssertQueue;
}

// A message is returned only when a consumer dies with it; so many deaths mean the message is the cause.
const DELIVERY_LIMIT = 20;
const DEAD_LETTER_LIMIT_BYTES = 16 * 1_024 * 1_024;

/** Quorum queues throughout: replicated, never silently in memory only, and counting deliveries. */
export const queuePolicy = (namespace: string, queue: string): QueuePolicy => {
  const name = `${namespace}_${queue}`;
  if (queue === DEAD_LETTER_QUEUE)
    return {
      name,
      options: quorum({
        'x-max-length': DEAD_LETTER_LIMIT,
        'x-max-length-bytes': DEAD_LETTER_LIMIT_BYTES,
        'x-overflow': 'drop-head',
      }),
    };
  return {
    name,
    options: quorum({
      'x-delivery-limit': DELIVERY_LIMIT,
      'x-dead-letter-exchange': '',
      'x-dead-letter-routing-key': `${namespace}_${DEAD_LETTER_QUEUE}`,
    }),
  };
};

const quorum = (more: Record<string, unknown>): Options.AssertQueue => ({
  durable: true,
  arguments: { 'x-queue-type': 'quorum', ...more },
});

/** The exchange that carries the signals of a topic to all subscribers. */
export const signalExchange = (namespace: string, topic: string): string => `${namespace}_signal_${topic}`;
