import amqp from 'amqplib';
import { eventually } from '../support/eventually.js';
import { inModes } from '../support/in-every-mode.js';
import { Link } from '../support/link.js';
import { testRabbitUrl } from '../support/rabbit.js';

let link: Link;

// Two orchestrators consume the same queue all the time.
inModes(
  ['services over RabbitMQ'],
  'a message',
  (stage) => {
    let model: amqp.ChannelModel;
    let channel: amqp.ConfirmChannel;
    const queues: string[] = [];

    beforeAll(async () => {
      model = await amqp.connect(testRabbitUrl());
      model.on('error', () => undefined);
      channel = await model.createConfirmChannel();
    });
    afterAll(async () => {
      for (const queue of queues) await channel.deleteQueue(queue);
      await model.close();
      link.down();
      await link.close();
    });

    const put = (name: string, body: object, status = 201) =>
      stage.engine.api.need(status, 'PUT', `/v1/triggers/${name}`, body);
    const view = (name: string) => stage.engine.api.need(200, 'GET', `/v1/triggers/${name}`);
    const refusedOf = async (name: string) =>
      (await stage.engine.api.need(200, 'GET', `/v1/triggers/${name}/refused`)).items as {
        messageId: string | null;
        reason: { code: string; message: string };
        bytes: number;
        body: string;
        encoding: string;
      }[];
    const startedBy = async (name: string) =>
      (await stage.engine.api.need(200, 'GET', `/v1/executions?label=trigger=${name}&include=input&limit=1000`))
        .items as { id: string; state: string; input: { n: number }; labels: Record<string, string> }[];
    /** A pipeline that takes numbers, a queue, and a trigger between them. */
    const bound = async (more: object = {}) => {
      const name = stage.name();
      const queue = `orders-${name}-${Math.random().toString(36).slice(2)}`;
      queues.push(queue);
      await stage.engine.api.publish({
        name,
        inputSchema: { type: 'object', required: ['n'] },
        nodes: [{ id: 'echo', type: 'TRANSFORM', config: { output: '${input}' } }],
      });
      await put(name, { pipeline: name, queue, ...more });
      return { name, queue };
    };
    const send = async (queue: string, body: string | Buffer, messageId?: string) => {
      channel.sendToQueue(queue, Buffer.from(body), { persistent: true, ...(messageId ? { messageId } : {}) });
      await channel.waitForConfirms();
    };
    /** How many consume it and how many messages it has; a queue that is not there takes the asking channel along. */
    const look = async (queue: string) => {
      const asking = await model.createChannel();
      asking.on('error', () => undefined);
      try {
        const { consumerCount, messageCount } = await asking.checkQueue(queue);
        await asking.close();
        return { consumerCount, messageCount };
      } catch {
        return null;
      }
    };
    const hasConsumers = (queue: string, consumerCount: number) =>
      eventually(async () => expect(await look(queue)).toMatchObject({ consumerCount }));

    it('starts one execution, sent twice or to a queue that was there before; what cannot be one is set aside with the reason', async () => {
      const queue = `mine-${Math.random().toString(36).slice(2)}`;
      queues.push(queue);
      await channel.assertQueue(queue, { durable: true, maxPriority: 3 });
      const { name } = await bound({ queue, labels: { source: 'orders' }, priority: 7 });
      for (let n = 0; n < 20; n++) await send(queue, `{"n": ${n}, "big": 12345678901234567890}`, `order-${n}`);
      for (let n = 0; n < 20; n++) await send(queue, `{"big":12345678901234567890,"n":${n}}`, `order-${n}`);
      await send(queue, '{"n": 100}', 'order-0');
      await send(queue, '{"n": 1', 'broken');
      await send(queue, '', 'empty');
      await send(queue, Buffer.from([0xff, 0xfe, 0x00]), 'bytes');
      await send(queue, '{"m": 1}', 'shape');
      await send(queue, `{"n": "${'x'.repeat(70_000)}"}`, 'large');
      await send(queue, '{"n": 21}');
      await eventually(async () =>
        expect(await view(name)).toMatchObject({
          received: 47,
          started: 21,
          duplicates: 20,
          refused: 6,
          lastError: null,
        }),
      );
      const started = await startedBy(name);
      expect(started.map(({ input }) => input.n).sort((a, b) => a - b)).toEqual([
        ...Array.from({ length: 20 }, (_, n) => n),
        21,
      ]);
      const first = started.find(({ input }) => input.n === 3)!;
      expect(first).toMatchObject({ labels: { source: 'orders', trigger: name, messageId: 'order-3' }, priority: 7 });
      const { text } = await stage.engine.api.call('GET', `/v1/executions/${first.id}`);
      expect(text).toContain('"input":{"n":3,"big":12345678901234567890}');
      await eventually(async () =>
        expect(new Set((await startedBy(name)).map(({ state }) => state))).toEqual(new Set(['SUCCEEDED'])),
      );
      const refused = new Map((await refusedOf(name)).map((message) => [message.messageId, message]));
      expect(Object.fromEntries([...refused].map(([id, { reason }]) => [id, reason.code]))).toEqual({
        'order-0': 'MESSAGE.ID_REUSED',
        broken: 'MESSAGE.NOT_JSON',
        empty: 'MESSAGE.NOT_JSON',
        bytes: 'MESSAGE.NOT_UTF8',
        shape: 'EXECUTION.INPUT_REFUSED',
        large: 'MESSAGE.TOO_LARGE',
      });
      expect(refused.get('broken')).toMatchObject({ body: '{"n": 1', encoding: 'utf8', bytes: 7 });
      expect(refused.get('bytes')).toMatchObject({ body: '//4A', encoding: 'base64' });
      expect(await look(queue)).toMatchObject({ messageCount: 0 });
      await stage.engine.api.need(202, 'DELETE', `/v1/triggers/${name}`);
      await hasConsumers(queue, 0);
    });

    it('waits where it cannot be one yet, and is one later, also after the broker was gone meanwhile', async () => {
      const exchange = `events-${Math.random().toString(36).slice(2)}`;
      await channel.assertExchange(exchange, 'topic', { durable: true });
      const { name, queue } = await bound({ exchange, routingKey: 'order.*' });
      await hasConsumers(queue, 2);
      await stage.engine.api.need(200, 'PATCH', `/v1/pipelines/${name}`, { enabled: false });
      channel.publish(exchange, 'order.made', Buffer.from('{"n":1}'), { messageId: 'one' });
      channel.publish(exchange, 'other.made', Buffer.from('{"n":2}'), { messageId: 'two' });
      await channel.waitForConfirms();
      await eventually(async () =>
        expect(await view(name)).toMatchObject({ received: 1, started: 0, lastError: { code: 'PIPELINE.DISABLED' } }),
      );
      link.down();
      await eventually(async () =>
        expect(await view(name)).toMatchObject({ lastError: { code: 'QUEUE.NOT_CONSUMED' } }),
      );
      await send(queue, '{"n":3}', 'three');
      link.restore();
      await stage.engine.api.need(200, 'PATCH', `/v1/pipelines/${name}`, { enabled: true });
      await eventually(async () => {
        expect(new Set((await startedBy(name)).map(({ input }) => input.n))).toEqual(new Set([1, 3]));
        expect(await view(name)).toMatchObject({ started: 2, refused: 0, lastError: null });
      });
      const inUse = await stage.engine.api.call('DELETE', `/v1/pipelines/${name}`);
      expect([inUse.status, inUse.json.code]).toEqual([409, 'PIPELINE.IN_USE']);
      // Its queue deleted and made anew, another one named, and none at all.
      await channel.deleteQueue(queue);
      await hasConsumers(queue, 2);
      const other = `${queue}-b`;
      queues.push(other);
      expect(await put(name, { pipeline: name, queue: other }, 200)).toMatchObject({ exchange: null, started: 2 });
      await hasConsumers(other, 2);
      await hasConsumers(queue, 0);
      await put(name, { pipeline: name, queue: other, enabled: false }, 200);
      await hasConsumers(other, 0);
      await channel.deleteExchange(exchange);
    });

    it('needs a trigger without defects, and every defect is told', async () => {
      const { api } = stage.engine;
      const refusal = async (body: object) => {
        const { status, json } = await api.call('PUT', '/v1/triggers/bad', body);
        return [status, json.errors.map(({ path }: { path: string }) => path)];
      };
      const { name } = await bound({ enabled: false });
      expect(await refusal({ pipeline: 'nobody-knows-it', queue: 'q' })).toEqual([422, ['pipeline']]);
      expect(await refusal({ pipeline: name, version: 9, queue: 'q' })).toEqual([422, ['version']]);
      expect(await refusal({ pipeline: name, queue: '', priority: 11 })).toEqual([422, ['queue', 'priority']]);
      expect(
        await refusal({ pipeline: name, queue: `${stage.engine.namespace}_task_recorded`, routingKey: 'x' }),
      ).toEqual([422, ['queue', 'routingKey']]);
      expect(await refusal({ pipeline: name, queue: 'q', labels: { trigger: 'x' } })).toEqual([
        422,
        ['labels.trigger'],
      ]);
      expect((await api.call('GET', '/v1/triggers/bad')).status).toBe(404);
      expect((await api.need(200, 'GET', '/v1/triggers')).items.length).toBeGreaterThan(0);
    });
  },
  async () => {
    link = await Link.to(testRabbitUrl());
    return {
      orchestrators: 2,
      executors: 1,
      rabbitmqUrl: link.url,
      env: { HTTP_BODY_LIMIT_BYTES: '65536' },
    };
  },
);

inModes(['services without a broker', 'standalone'], 'a message without a broker', (stage) => {
  it('has no trigger, and the answer says what is missing', async () => {
    const { status, json } = await stage.engine.api.call('PUT', '/v1/triggers/any', { pipeline: 'p', queue: 'q' });
    expect([status, json.code]).toEqual([422, 'TRIGGER.NEEDS_RABBITMQ']);
    expect(json.detail).toContain('RABBITMQ_URL');
  });
});
