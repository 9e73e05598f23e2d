import { SIGNAL_LIMIT_BYTES } from './bus.js';

/** More ids in one signal than it can carry: the sender cuts it. */
export class SignalTooLarge extends Error {
  override readonly name = 'SignalTooLarge';
  readonly code = 'BUS.SIGNAL_TOO_LARGE';
}

/** @throws SignalTooLarge so that a signal that works over one bus works over the other */
export const signalBody = (topic: string, payload: object): string => {
  const body = JSON.stringify(payload);
  const bytes = Buffer.byteLength(body);
  if (bytes > SIGNAL_LIMIT_BYTES)
    throw new SignalTooLarge(`signal ${topic} has ${bytes} bytes of ${SIGNAL_LIMIT_BYTES}`);
  return body;
};
