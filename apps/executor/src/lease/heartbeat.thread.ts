import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';

/**
 * The heartbeat has a thread and a connection of its own, so that a handler that blocks the event loop does not lose the
 * lease. It beats, reads back whether the incarnation is still live, and tells the main thread.
 */
const { config, incarnation, heartbeatMs, statement, shared } = workerData as {
  config: pg.ClientConfig;
  incarnation: number;
  heartbeatMs: number;
  statement: string;
  shared: SharedArrayBuffer;
};
const freeSlots = new Int32Array(shared);
let client: pg.Client | null = null;

async function beat(): Promise<void> {
  try {
    if (!client) {
      const fresh = new pg.Client(config);
      fresh.on('error', () => {
        if (client === fresh) client = null;
      });
      await fresh.connect();
      client = fresh;
    }
    const { rows } = await client.query<{ state: string }>(statement, [incarnation, Atomics.load(freeSlots, 0)]);
    parentPort!.postMessage({ kind: 'beat', state: rows[0]?.state ?? 'lost' });
  } catch (error) {
    parentPort!.postMessage({ kind: 'missed', message: (error as Error).message });
    const broken = client;
    client = null;
    await broken?.end().catch(() => undefined);
  }
}

parentPort!.on('message', (message) => {
  if (message === 'stop')
    void (client?.end() ?? Promise.resolve()).catch(() => undefined).finally(() => process.exit(0));
});

for (;;) {
  await beat();
  await new Promise((resolve) => setTimeout(resolve, heartbeatMs));
}
