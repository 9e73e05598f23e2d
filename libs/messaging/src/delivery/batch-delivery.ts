import type { Clock, Logger } from '@app/runtime';
import type { Bus } from '../bus/bus.js';
import type { BusMetrics } from '../bus/bus-metrics.js';
import { DEAD_LETTER_QUEUE, deadLetter } from './dead-letter.js';
import { decode, type Decoded } from './decode.js';
import type { QueueBinding } from './queue-options.js';

export interface DeliveryTools {
  readonly bus: Pick<Bus, 'publish'>;
  readonly logger: Logger;
  readonly metrics: BusMetrics;
  readonly clock: Clock;
}

/**
 * Hands one batch of raw messages to its handler. Resolves, never rejects, when the messages may be acknowledged:
 * poison is with the dead letters, and the rest was handled or is repaired by a sweep.
 */
export const deliverBatch = async (
  binding: QueueBinding,
  bodies: readonly (Buffer | string)[],
  tools: DeliveryTools,
): Promise<void> => {
  const payloads: unknown[] = [];
  const letters: object[] = [];
  for (const body of bodies) {
    const decoded = await decodeSafely(body, binding);
    if (decoded.kind === 'payload') payloads.push(decoded.payload);
    else {
      letters.push(deadLetter(binding.queue, body, decoded, tools.clock.now()));
      tools.metrics.deadLettered(binding.queue, decoded.reason);
    }
  }
  await Promise.all([bury(binding, letters, tools), handle(binding, payloads, tools)]);
};

const decodeSafely = async (body: Buffer | string, binding: QueueBinding): Promise<Decoded> => {
  try {
    return await decode(body, binding.schema);
  } catch (error) {
    return { kind: 'poison', reason: 'wrong_shape', detail: String(error).slice(0, 500) };
  }
};

const handle = async (binding: QueueBinding, payloads: unknown[], { logger, metrics }: DeliveryTools) => {
  if (payloads.length === 0) return;
  metrics.delivered(binding.queue, payloads.length);
  try {
    await binding.handler(payloads);
  } catch (err) {
    metrics.handlerFailed(binding.queue, payloads.length);
    logger.error(
      { err, queue: binding.queue, messages: payloads.length },
      'handler failed; sweeps repair what it left',
    );
  }
};

const bury = async (binding: QueueBinding, letters: readonly object[], { bus, logger }: DeliveryTools) => {
  if (letters.length === 0) return;
  logger.warn(
    { queue: binding.queue, messages: letters.length, first: letters[0] },
    'messages put to the dead letters',
  );
  try {
    await bus.publish(DEAD_LETTER_QUEUE, letters);
  } catch (err) {
    // The line above is then the only trace; keeping the message would only bring the same poison back.
    logger.error({ err, queue: binding.queue }, 'dead letters could not be kept');
  }
};
