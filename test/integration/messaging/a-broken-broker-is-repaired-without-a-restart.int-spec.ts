import { BusUnavailable, consumersHealth, queuePolicy } from '@app/messaging';
import { eventually } from '../../support/eventually.js';
import { Link } from '../../support/link.js';
import { freshNamespace, startOwnRabbit, type PrivateRabbit } from '../../support/rabbit.js';
import { connected, onChannel, rabbitMq, type Party } from './messaging-party.js';

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, i) => ({ n: from + i }));

describe('a RabbitMQ that breaks', () => {
  let rabbit: PrivateRabbit;
  let namespace: string;
  let party: Party;
  let got: number[];
  let heard: unknown[];
  const rejections: unknown[] = [];
  const onRejection = (reason: unknown) => rejections.push(reason);

  const bothWaysWork = (mark: number) =>
    eventually(
      async () => {
        await party.bus.publish('work', [{ n: mark }]);
        await party.bus.signal('settled', { mark });
        await eventually(() => expect(got).toContain(mark), { timeoutMs: 500 });
        await eventually(() => expect(heard).toContainEqual({ mark }), { timeoutMs: 500 });
      },
      { timeoutMs: 30_000 },
    );

  beforeAll(async () => {
    process.on('unhandledRejection', onRejection);
    const started = await startOwnRabbit();
    if (!started) throw new Error('these tests stop and kill a broker: install rabbitmq-server');
    rabbit = started;
  });
  beforeEach(async () => {
    namespace = freshNamespace();
    party = await rabbitMq(() => rabbit.url).join(namespace);
    await connected(party);
    got = [];
    heard = [];
    party.strategy.consume('work', (payloads: { n: number }[]) => got.push(...payloads.map(({ n }) => n)));
    party.strategy.listen(() => undefined);
    await party.bus.subscribe('settled', (payload) => heard.push(payload));
    await bothWaysWork(-1);
  });
  afterEach(async () => {
    await party.close();
    expect(rejections).toEqual([]);
  });
  afterAll(async () => {
    process.off('unhandledRejection', onRejection);
    await rabbit.remove();
  });

  it('has its queue again after somebody deleted it, and its consumer too', async () => {
    for (let round = 0; round < 3; round += 1) {
      await onChannel(rabbit.url, (channel) => channel.deleteQueue(`${namespace}_work`));
      await bothWaysWork(round);
    }
    await onChannel(rabbit.url, async (channel) => {
      const { name, options } = queuePolicy(namespace, 'work');
      expect((await channel.assertQueue(name, options)).consumerCount).toBe(1);
    });
  });

  it('is consumed again although it was deleted and declared anew so fast that nobody was told', async () => {
    const { name, options } = queuePolicy(namespace, 'work');
    await onChannel(rabbit.url, async (channel) => {
      await channel.deleteQueue(name);
      await channel.assertQueue(name, options);
      channel.sendToQueue(name, Buffer.from('{"n":77}'));
      await channel.waitForConfirms();
    });
    await eventually(() => expect(got).toContain(77), { timeoutMs: 15_000 });
  });

  it('that confirms nothing is sent a window of messages and no more, and whoever publishes is told', async () => {
    const link = await Link.to(rabbit.url);
    const other = await rabbitMq(() => rabbit.url).join(namespace, link.url);
    try {
      await connected(other);
      await other.bus.publish('slow', [{ n: -1 }]);
      // From the first message on nothing that the broker says comes back.
      let isHeld = false;
      link.listen((said, connection) => {
        if (isHeld || !said.includes('"n":')) return;
        isHeld = true;
        connection.hold();
      });
      await expect(other.bus.publish('slow', numbers(0, 20_000))).rejects.toThrow(BusUnavailable);
      await onChannel(rabbit.url, async (channel) => {
        const { name } = queuePolicy(namespace, 'slow');
        const { messageCount } = await channel.checkQueue(name);
        expect(messageCount).toBeGreaterThan(1);
        expect(messageCount).toBeLessThanOrEqual(1 + 1_000);
        await channel.deleteQueue(name);
      });
    } finally {
      await other.close();
      await link.close();
    }
  });

  it('loses nothing it has confirmed when its queue is deleted between two publishes', async () => {
    party.strategy.setCapacity('work', () => 0);
    await onChannel(rabbit.url, (channel) => channel.deleteQueue(`${namespace}_work`));
    await party.bus.publish('work', numbers(0, 500));
    await eventually(async () => expect(await party.bus.depth('work')).toBe(500));
  });

  it('works again after every connection was closed from the management side', async () => {
    rabbit.control(['close_all_connections', 'maintenance']);
    await bothWaysWork(1);
    expect(party.bus.state).toBe('up');
  });

  it('works again after only its channels were closed', async () => {
    const closeAll = 'lists:foreach(fun(C) -> exit(C, kill) end, rabbit_channel:list()).';
    for (let round = 0; round < 3; round += 1) {
      rabbit.control(['eval', closeAll]);
      await bothWaysWork(round);
    }
  });

  it('works again after restarts, and hands over what was stored before', async () => {
    let room = 0;
    party.strategy.setCapacity('work', () => room);
    await party.bus.publish('work', numbers(100, 50));
    for (let round = 0; round < 2; round += 1) {
      await rabbit.down();
      await eventually(() => expect(party.bus.state).toBe('down'));
      await expect(party.bus.publish('work', [{ n: 1 }])).rejects.toThrow(BusUnavailable);
      await rabbit.up();
      await connected(party);
    }
    room = 1;
    party.strategy.poke('work');
    await eventually(() => expect(got.filter((n) => n >= 100)).toHaveLength(50), { timeoutMs: 30_000 });
    await bothWaysWork(2);
  }, 120_000);

  it('works again after it was killed', async () => {
    // RabbitMQ keeps the members of a quorum queue in a file that it saves twice a second; one declared just before a
    // power failure answers nothing for a minute, whoever asks.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await rabbit.kill();
    await eventually(() => expect(party.bus.state).toBe('down'), { timeoutMs: 30_000 });
    await rabbit.up();
    await bothWaysWork(3);
  }, 120_000);

  it('whose queue answers nobody is not ready, serves its other queues, and is whole when the queue answers again', async () => {
    const others: unknown[] = [];
    party.strategy.consume('other', (payloads) => others.push(...payloads));
    await party.bus.publish('other', [{ n: 0 }]);
    await eventually(() => expect(others).toHaveLength(1));
    await eventually(() => expect(party.strategy.unestablished).toEqual([]));
    const queue = `whereis('%2F_${namespace}_work')`;
    rabbit.control(['eval', `sys:suspend(${queue}).`]);
    try {
      rabbit.control(['eval', 'lists:foreach(fun(C) -> exit(C, kill) end, rabbit_channel:list()).']);
      await eventually(() => expect(party.strategy.unestablished).toEqual(['work']), { timeoutMs: 30_000 });
      expect(await consumersHealth(party.strategy).check()).toMatchObject({ status: 'down' });
      const began = performance.now();
      await party.bus.depth('work');
      await expect(party.bus.publish('work', [{ n: 5 }])).rejects.toThrow(BusUnavailable);
      expect(performance.now() - began).toBeLessThan(12_000);
      await party.bus.publish('other', [{ n: 1 }]);
      // The first may come again: its acknowledgement may have died with its channel.
      await eventually(() => expect(others).toContainEqual({ n: 1 }));
    } finally {
      rabbit.control(['eval', `sys:resume(${queue}).`]);
    }
    await eventually(() => expect(party.strategy.unestablished).toEqual([]), { timeoutMs: 40_000 });
    await bothWaysWork(6);
  }, 120_000);

  it('says that it is blocked by an alarm, refuses at once, and goes on consuming', async () => {
    let room = 0;
    party.strategy.setCapacity('work', () => room);
    await party.bus.publish('work', numbers(0, 100));
    rabbit.control(['set_vm_memory_high_watermark', '0']);
    try {
      // The broker blocks a connection at its first publish under the alarm.
      await eventually(async () => {
        await party.bus.publish('work', [{ n: 7 }]).catch(() => undefined);
        expect(party.bus.state).toBe('blocked');
      });
      const began = performance.now();
      await expect(party.bus.publish('work', [{ n: 8 }])).rejects.toThrow(BusUnavailable);
      expect(performance.now() - began).toBeLessThan(500);
      room = 1;
      party.strategy.poke('work');
      await eventually(() => expect(got.length).toBeGreaterThanOrEqual(100));
    } finally {
      rabbit.control(['set_vm_memory_high_watermark', 'absolute', '1GB']);
    }
    await bothWaysWork(4);
    expect(party.bus.state).toBe('up');
  }, 60_000);

  it('bounds what it holds for a broker behind a narrow link, and confirms all in the end', async () => {
    const link = await Link.to(rabbit.url);
    link.throttle(50_000);
    const narrow = await rabbitMq(() => rabbit.url).join(namespace, link.url);
    try {
      await connected(narrow);
      const before = process.memoryUsage().heapUsed;
      const results = await Promise.allSettled(
        Array.from({ length: 20 }, (_, i) => narrow.bus.publish('slow', numbers(i * 1_000, 1_000))),
      );
      expect(results.some(({ status }) => status === 'rejected')).toBe(true);
      expect(process.memoryUsage().heapUsed - before).toBeLessThan(100_000_000);
      expect(await party.bus.depth('slow')).toBeLessThan(20_000);
    } finally {
      link.cut();
      await narrow.close();
      await link.close();
    }
  }, 60_000);
});
