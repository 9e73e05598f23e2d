import type { Request } from 'express';

/** A sender that sends nothing for this long is given up. */
const silentMillis = 120_000;

/** Runs `work` while the body comes in; a body that stalls is broken off, however long the whole of it may take. */
export async function whileReceiving<T>(request: Request, work: () => Promise<T>): Promise<T> {
  request.setTimeout(silentMillis, () =>
    request.destroy(new Error('the body was broken off: nothing came for too long')),
  );
  try {
    return await work();
  } finally {
    request.setTimeout(0);
  }
}
