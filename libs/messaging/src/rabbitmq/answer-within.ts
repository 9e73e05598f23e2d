import type { Channel } from 'amqplib';
import { sleep } from '@app/runtime';
import { BusUnavailable } from '../bus/bus-unavailable.js';

/** Declaring a queue takes a broker milliseconds; one that is busy starting may take seconds. */
export const ANSWER_TIMEOUT_MS = 10_000;

/**
 * The broker's answer on a channel, which may never come: the log of a quorum queue that was declared just before the broker
 * was killed is lost, and whoever asks for that queue waits. A channel that gave no answer is not to be used again.
 *
 * @throws BusUnavailable when there is none in time
 */
export const answerWithin = async <T>(answer: Promise<T>, timeoutMs = ANSWER_TIMEOUT_MS): Promise<T> => {
  const patience = new AbortController();
  const late = sleep(timeoutMs, patience.signal).then(() => {
    throw new BusUnavailable('the broker did not answer in time');
  });
  // Also what is refused after nobody waits for it any more.
  late.catch(() => undefined);
  try {
    return await Promise.race([answer, late]);
  } finally {
    patience.abort();
  }
};

/** Lets go of a channel, whether or not it is closed already or ever answers. */
export const abandon = (channel: Channel): void => {
  void (async () => channel.close())().catch(() => undefined);
};
