import { eventually } from './eventually.js';
import { fanOut } from './fan-out.js';
import { inModes, type Stage } from './in-every-mode.js';
import { throughOutage } from './outages.js';
import { startOwnRabbit, type PrivateRabbit } from './rabbit.js';

const pause = (delayMs: number) => new Promise((resolve) => setTimeout(resolve, delayMs));

const statuses = (stage: Stage) =>
  Promise.all(
    (['api', 'orchestrator', 'executor'] as const).map(async (role) => {
      const reply = await fetch(`${stage.engine.named(role)[0]!.url}/health/ready`);
      return [role, reply.status, /degraded/.test(await reply.text())] as const;
    }),
  );

/** What the services owe while their broker restarts several times in a row, or is away for so long. */
export const brokerOutages = (
  promise: string,
  { restarts, items, awayMs }: { restarts: (rabbit: PrivateRabbit) => Promise<void>; items: number; awayMs: number },
): void => {
  let rabbit: PrivateRabbit;
  afterAll(() => rabbit?.remove());

  inModes(
    ['services over RabbitMQ'],
    promise,
    (stage) => {
      it('that restarts three times in a row is used again by itself, and every item is called once', async () => {
        const { repeated } = await throughOutage(stage, { items, callMs: 100, fault: () => restarts(rabbit) });
        expect(repeated).toBe(0);
      }, 280_000);

      it('that is away makes readiness say so for as long, and what comes meanwhile is done after it', async () => {
        const { api } = stage.engine;
        const late = stage.name();
        await api.publish(fanOut(late, `${stage.sink.url}/late`));
        let started: { id: string } | undefined;
        const { repeated } = await throughOutage(stage, {
          items,
          callMs: 100,
          fault: async () => {
            await rabbit.down();
            await eventually(async () =>
              expect(await statuses(stage)).toEqual([
                ['api', 200, true],
                ['orchestrator', 503, false],
                ['executor', 503, false],
              ]),
            );
            started = await api.start(late, { items: [{ late: true }] });
            await pause(awayMs);
            await rabbit.up();
          },
        });
        expect((await api.settled(started!.id)).state).toBe('SUCCEEDED');
        expect(repeated).toBe(0);
      }, 280_000);
    },
    async () => {
      const own = await startOwnRabbit();
      if (!own) throw new Error('this needs an installed RabbitMQ server, to stop and start it');
      rabbit = own;
      return { rabbitmqUrl: rabbit.url };
    },
  );
};
