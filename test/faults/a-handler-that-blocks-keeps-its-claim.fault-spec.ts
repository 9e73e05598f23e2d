import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/eventually.js';
import { inModes } from '../support/in-every-mode.js';

const folder = mkdtempSync(join(tmpdir(), 'fanfold-handlers-'));
const handlers = join(folder, 'handlers.mjs');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const spinning = (name: string, millis: number, url: string, more: object = {}) => ({
  name,
  nodes: [
    {
      id: 'spin',
      type: 'HANDLER',
      config: { handler: 'spin', input: { millis, url } },
      retry: { maxAttempts: 1 },
      ...more,
    },
  ],
  edges: [],
});

inModes(
  ['standalone', 'services over RabbitMQ'],
  'a handler that blocks its thread',
  (stage) => {
    it('for three leases is called once, as the heartbeat has a thread of its own', async () => {
      const { engine, sink } = stage;
      const name = stage.name();
      await engine.api.publish(spinning(name, 9_000, `${sink.url}/spin`));
      const done = await engine.api.run(name, {}, 40_000);
      expect(done).toMatchObject({ state: 'SUCCEEDED', output: { done: true } });
      expect(sink.calls).toHaveLength(1);
      expect(await engine.api.attempts(done.id)).toHaveLength(1);
    });

    it('past its time-out is ended by the orchestrator', async () => {
      const { engine, sink } = stage;
      const name = stage.name();
      await engine.api.publish(spinning(name, 20_000, `${sink.url}/spin`, { timeout: '3s' }));
      const { id } = await engine.api.start(name, {});
      await eventually(() => expect(sink.calls).toHaveLength(1));
      const done = await engine.api.settled(id, 40_000);
      expect(done).toMatchObject({ state: 'FAILED', error: { class: 'TIMEOUT' } });
      const took = new Date(done.finishedAt!).getTime() - new Date(done.startedAt!).getTime();
      expect(took).toBeGreaterThanOrEqual(3_000);
      expect(took).toBeLessThan(15_000);
      expect(sink.calls).toHaveLength(1);
    });
  },
  async () => {
    writeFileSync(
      handlers,
      `export async function spin({ input }) {
        await fetch(input.url, { method: 'POST', body: '{}' });
        for (const end = Date.now() + input.millis; Date.now() < end; );
        return { done: true };
      }`,
    );
    return {
      executors: 1,
      env: { FANFOLD_HANDLERS: handlers },
      executorEnv: { EXECUTOR_LEASE_MS: '3000', EXECUTOR_HEARTBEAT_MS: '500' },
    };
  },
);
