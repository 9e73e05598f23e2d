import amqp from 'amqplib';
import { eventually } from '../support/eventually.js';
import { inModes } from '../support/in-every-mode.js';
import { testRabbitUrl } from '../support/rabbit.js';

inModes(
  ['services over RabbitMQ'],
  'what a trigger counts',
  (stage) => {
    it('is what it did, also where orchestrators are killed amid its messages', async () => {
      const { api } = stage.engine;
      const name = stage.name();
      const queue = `${name}-${Math.random().toString(36).slice(2)}`;
      const model = await amqp.connect(testRabbitUrl());
      const channel = await model.createConfirmChannel();
      try {
        await api.publish({
          name,
          inputSchema: { type: 'object', required: ['n'] },
          nodes: [{ id: 'echo', type: 'TRANSFORM', config: { output: '${input}' } }],
        });
        const view = () => api.need(200, 'GET', `/v1/triggers/${name}`);
        await channel.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
        // every fifth fits no schema, every tenth comes twice
        for (let n = 0; n < 400; n++)
          for (let copy = 0; copy < (n % 10 === 1 ? 2 : 1); copy++)
            channel.sendToQueue(queue, Buffer.from(n % 5 === 0 ? '{"m":1}' : `{"n":${n}}`), {
              persistent: true,
              messageId: `m-${n}`,
            });
        await channel.waitForConfirms();
        await api.need(201, 'PUT', `/v1/triggers/${name}`, { pipeline: name, queue });
        for (const reached of [40, 150]) {
          await eventually(async () => expect((await view()).started).toBeGreaterThan(reached), { timeoutMs: 60_000 });
          const orchestrator = stage.engine.named('orchestrator').at(-1);
          await orchestrator!.kill();
          await stage.engine.add('orchestrator');
        }
        const started = () => api.all(`/v1/executions?label=trigger=${name}`);
        await eventually(async () => expect((await started()).length).toBe(320), { timeoutMs: 60_000 });
        await eventually(async () => expect(await channel.checkQueue(queue)).toMatchObject({ messageCount: 0 }));
        await eventually(async () => {
          const { received, started: starts, duplicates, refused } = await view();
          const aside = (await api.all(`/v1/triggers/${name}/refused`)).length;
          expect({ starts, refused, received }).toEqual({
            starts: 320,
            refused: aside,
            received: starts + duplicates + refused,
          });
          expect(duplicates).toBeGreaterThanOrEqual(40);
          expect(aside).toBeGreaterThanOrEqual(80);
        });
        await api.need(202, 'DELETE', `/v1/triggers/${name}`);
      } finally {
        await channel.deleteQueue(queue);
        await model.close();
      }
    });
  },
  async () => ({ orchestrators: 1, executors: 1 }),
);
