import { eventually } from './eventually.js';
import { inModes } from './in-every-mode.js';
import { throughOutage } from './outages.js';
import { PrivatePostgres } from './private-postgres.js';

const pause = (delayMs: number) => new Promise((resolve) => setTimeout(resolve, delayMs));

/** What the services owe while their Postgres restarts, stands still, or answers and refuses writes, for so long. */
export const databaseServerOutages = (
  promise: string,
  { items, frozenMs, readOnlyMs }: { items: number; frozenMs: number; readOnlyMs: number },
): void => {
  let server: PrivatePostgres;
  afterAll(() => server?.remove());

  inModes(
    ['services without a broker', 'services over RabbitMQ'],
    promise,
    (stage) => {
      const start = () => stage.engine.api.call('POST', '/v1/pipelines/nobody/executions', {});

      it('that restarts is used again by itself', async () => {
        await throughOutage(stage, {
          items,
          callMs: 40,
          fault: async () => {
            await server.restart();
            await server.restart();
          },
        });
      }, 240_000);

      it('that stands still is waited for, and what was in doubt is decided by its claim', async () => {
        await throughOutage(stage, {
          items,
          callMs: 40,
          fault: async () => {
            server.freeze();
            await pause(frozenMs);
            server.thaw();
          },
        });
      }, 240_000);

      it('that answers and refuses writes is met with 503 and a hint, and the work goes on after it', async () => {
        await throughOutage(stage, {
          items,
          callMs: 40,
          fault: async () => {
            await server.readOnly(true);
            const refused = await eventually(async () => {
              const reply = await stage.engine.api.call('POST', '/v1/pipelines', {
                name: stage.name(),
                nodes: [{ id: 'a', type: 'TRANSFORM', config: { output: 1 } }],
                edges: [],
              });
              expect(reply.status).toBe(503);
              return reply;
            });
            expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
            expect(refused.text).not.toMatch(/ at .*\.js|read-only|insert /);
            await pause(readOnlyMs);
            await server.readOnly(false);
            await eventually(async () => expect((await start()).status).toBe(404));
          },
        });
      }, 240_000);
    },
    async () => {
      await server?.remove();
      server = await PrivatePostgres.start();
      return { databaseServer: server.url };
    },
  );
};
