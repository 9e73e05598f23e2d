import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Payload } from '@nestjs/microservices';
import { BusUnavailable, Consume, DEAD_LETTER_QUEUE, SignalTooLarge } from '@app/messaging';
import { z } from 'zod';
import { eventually } from '../../support/eventually.js';
import { Link } from '../../support/link.js';
import { freshNamespace } from '../../support/rabbit.js';
import { connected, postgres, rabbitMq, type Party } from './messaging-party.js';

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, i) => ({ n: from + i }));
const pause = (delayMs: number) => new Promise((resolve) => setTimeout(resolve, delayMs));

describe.each([rabbitMq(), postgres()])('the bus over $name', (kind) => {
  let namespace: string;
  let parties: Party[] = [];
  const rejections: unknown[] = [];
  const onRejection = (reason: unknown) => rejections.push(reason);

  const join = async (url?: string, name = namespace): Promise<Party> => {
    const party = await kind.join(name, url);
    parties.push(party);
    return party;
  };
  const listening = (party: Party) => party.strategy.listen(() => undefined);

  beforeAll(async () => {
    process.on('unhandledRejection', onRejection);
    await kind.prepare();
  });
  beforeEach(() => {
    namespace = freshNamespace();
  });
  afterEach(async () => {
    await Promise.all(parties.map((party) => party.close()));
    parties = [];
    expect(rejections).toEqual([]);
  });
  afterAll(async () => {
    process.off('unhandledRejection', onRejection);
    await kind.cleanUp();
  });

  it('hands every message once to one of its consumers, in batches no larger than asked', async () => {
    const got: number[] = [];
    const sizes: number[] = [];
    const [sender, one, two] = [await join(), await join(), await join()];
    await connected(sender, one, two);
    for (const party of [one, two]) {
      party.strategy.consume(
        'work',
        (payloads: { n: number }[]) => {
          sizes.push(payloads.length);
          got.push(...payloads.map(({ n }) => n));
        },
        { batch: 20 },
      );
      listening(party);
    }
    await sender.bus.publish('work', numbers(0, 3_000));
    await eventually(() => expect(got).toHaveLength(3_000));
    await pause(100);
    expect(new Set(got).size).toBe(3_000);
    expect(got).toHaveLength(3_000);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(20);
    expect(sizes.length).toBeLessThan(1_500);
    expect(await sender.bus.depth('work')).toBe(0);
  });

  it('delivers to a decorated method of a Nest app, and drains with it', async () => {
    const got: unknown[] = [];
    @Controller()
    class Consumer {
      @Consume('task.recorded', { queue: 'task_recorded', batch: 10, schema: z.object({ id: z.string() }) })
      async recorded(@Payload() payloads: { id: string }[]) {
        got.push(...payloads);
        if (payloads.some(({ id }) => id === 'bad')) throw new Error('handler trouble');
      }
    }
    @Module({ controllers: [Consumer] })
    class Root {}
    const party = await join();
    await connected(party);
    const app = await NestFactory.createMicroservice(Root, { strategy: party.strategy, logger: false });
    await app.listen();
    await party.bus.publish('task_recorded', [{ id: 'bad' }]);
    await eventually(() => expect(got).toHaveLength(1));
    await party.bus.publish('task_recorded', [{ id: 'b' }]);
    await eventually(() => expect(got).toEqual([{ id: 'bad' }, { id: 'b' }]));
    await app.close();
    expect(await party.metrics.text()).toContain('fanfold_bus_handler_failed_total{queue="task_recorded"} 1');
    await party.bus.publish('task_recorded', [{ id: 'late' }]);
    await eventually(async () => expect(await party.bus.depth('task_recorded')).toBe(1));
    expect(got).toHaveLength(2);
  });

  it('is not starved by a handler that always throws, and brings nothing back', async () => {
    let calls = 0;
    const party = await join();
    await connected(party);
    const handler = () => {
      calls += 1;
      throw new Error('always');
    };
    party.strategy.consume('broken', handler, { batch: 1, prefetch: 1 });
    listening(party);
    await party.bus.publish('broken', numbers(0, 25));
    await eventually(() => expect(calls).toBe(25));
    await pause(100);
    expect(calls).toBe(25);
    expect(await party.bus.depth('broken')).toBe(0);
  });

  it('takes nothing while there is no capacity, and goes on when poked', async () => {
    let room = 0;
    let got = 0;
    const party = await join();
    await connected(party);
    party.strategy.setCapacity('slots', () => room);
    party.strategy.consume('slots', (payloads) => void (got += payloads.length), { batch: 5, prefetch: 5 });
    listening(party);
    await party.bus.publish('slots', numbers(0, 50));
    await pause(300);
    expect(got).toBe(0);
    expect(await party.bus.depth('slots')).toBe(50);
    room = 1;
    party.strategy.poke('slots');
    await eventually(() => expect(got).toBe(50));
    room = 0;
    party.strategy.poke('slots');
    await pause(200);
    await party.bus.publish('slots', numbers(50, 10));
    await pause(700);
    expect(got).toBe(50);
    room = 1;
    party.strategy.poke('slots');
    await eventually(() => expect(got).toBe(60));
  });

  it('stops within a prefetch when a handler uses up the capacity', async () => {
    let room = 10;
    let got = 0;
    const party = await join();
    await connected(party);
    party.strategy.setCapacity('slots', () => room);
    party.strategy.consume(
      'slots',
      (payloads) => {
        got += payloads.length;
        room -= payloads.length;
      },
      { batch: 1, prefetch: 2 },
    );
    listening(party);
    await party.bus.publish('slots', numbers(0, 100));
    await eventually(() => expect(got).toBeGreaterThanOrEqual(10));
    await pause(300);
    expect(got).toBeLessThanOrEqual(14);
    room = 1_000;
    party.strategy.poke('slots');
    await eventually(() => expect(got).toBe(100));
  });

  it('takes hardly more messages than there is room for, and many again once there is', async () => {
    let room = 2;
    let got = 0;
    const party = await join();
    await connected(party);
    party.strategy.setCapacity('slots', () => room);
    await party.bus.publish('slots', numbers(0, 100));
    const handler = (payloads: unknown[]) => {
      got += payloads.length;
      room -= payloads.length;
    };
    party.strategy.consume('slots', handler, { batch: 8, prefetch: 16, tight: true });
    listening(party);
    await eventually(() => expect(got).toBeGreaterThanOrEqual(2));
    await eventually(async () => expect(await party.bus.depth('slots')).toBe(100 - got));
    expect(got).toBeLessThanOrEqual(3);
    room = 1;
    party.strategy.poke('slots');
    await eventually(() => expect(room).toBeLessThanOrEqual(0));
    room = 1_000;
    party.strategy.poke('slots');
    await eventually(() => expect(got).toBe(100));
  });

  it('finishes at close what is in flight, and leaves the rest for others', async () => {
    const seen: number[] = [];
    const ended: number[] = [];
    const [sender, closing] = [await join(), await join()];
    await connected(sender, closing);
    const slow = async (payloads: { n: number }[]) => {
      seen.push(...payloads.map(({ n }) => n));
      await pause(300);
      ended.push(...payloads.map(({ n }) => n));
    };
    closing.strategy.consume('work', slow, { batch: 5, prefetch: 10 });
    listening(closing);
    await sender.bus.publish('work', numbers(0, 40));
    await eventually(() => expect(seen.length).toBeGreaterThan(0));
    await closing.strategy.close();
    expect(ended).toEqual(seen);
    const rest = await join();
    await connected(rest);
    const others: number[] = [];
    rest.strategy.consume('work', (payloads: { n: number }[]) => others.push(...payloads.map(({ n }) => n)));
    listening(rest);
    await eventually(() => expect(others.length + seen.length).toBe(40));
    expect(new Set([...others, ...seen]).size).toBe(40);
  });

  it('puts what it cannot understand to the dead letters, once, with the reason, and goes on', async () => {
    const got: unknown[] = [];
    const party = await join();
    await connected(party);
    const schema = z.object({ n: z.number() });
    party.strategy.consume('work', (payloads) => got.push(...payloads), { batch: 1, prefetch: 1, schema });
    listening(party);
    await party.bus.publish('work', [{ n: 0 }]);
    await eventually(() => expect(got).toHaveLength(1));
    await kind.sendRaw(namespace, 'work', Buffer.from([0xc3, 0x28, 0xff, 0x7f]));
    await kind.sendRaw(namespace, 'work', Buffer.alloc(0));
    await kind.sendRaw(namespace, 'work', Buffer.from('{"n":"text"}'));
    await kind.sendRaw(namespace, 'work', Buffer.alloc(20_000_000, 0x7b));
    await party.bus.publish('work', [{ n: 1 }]);
    await eventually(() => expect(got).toEqual([{ n: 0 }, { n: 1 }]));
    await eventually(async () => expect(await party.bus.depth(DEAD_LETTER_QUEUE)).toBe(4));
    expect(await party.bus.depth('work')).toBe(0);
    const letters: { reason: string; queue: string }[] = [];
    party.strategy.consume(DEAD_LETTER_QUEUE, (payloads) => letters.push(...payloads));
    await eventually(() => expect(letters).toHaveLength(4));
    const first = kind.name === 'RabbitMQ' ? 'not_utf8' : 'not_json';
    expect(letters.map(({ reason }) => reason).sort()).toEqual([first, 'not_json', 'too_large', 'wrong_shape'].sort());
    expect(new Set(letters.map(({ queue }) => queue))).toEqual(new Set(['work']));
  });

  it('tells a signal to every process that subscribes, and to no other topic', async () => {
    const [a, b, c] = [await join(), await join(), await join()];
    await connected(a, b, c);
    const heard: string[] = [];
    await b.bus.subscribe('abort', ({ id }: { id: string }) => heard.push(`b ${id}`));
    const leave = await c.bus.subscribe('abort', ({ id }: { id: string }) => heard.push(`c ${id}`));
    await c.bus.subscribe('settled', () => heard.push('wrong topic'));
    await b.bus.subscribe('abort', () => {
      throw new Error('a listener must not take the others along');
    });
    await a.bus.signal('abort', { id: '1' });
    await eventually(() => expect([...heard].sort()).toEqual(['b 1', 'c 1']));
    await leave();
    await a.bus.signal('abort', { id: '2' });
    await eventually(() => expect(heard).toContain('b 2'));
    await pause(50);
    expect(heard).not.toContain('c 2');
    await expect(a.bus.signal('abort', { ids: 'x'.repeat(8_000) })).rejects.toThrow(SignalTooLarge);
  });

  it('keeps two namespaces apart', async () => {
    const [a, b] = [await join(), await join(undefined, freshNamespace())];
    await connected(a, b);
    const heard: string[] = [];
    for (const [name, party] of [
      ['a', a],
      ['b', b],
    ] as const) {
      party.strategy.consume('work', (payloads) => heard.push(`${name} ${payloads.length}`));
      listening(party);
      await party.bus.subscribe('abort', () => heard.push(`${name} signal`));
    }
    await a.bus.publish('work', [{ n: 1 }]);
    await a.bus.signal('abort', {});
    await eventually(() => expect([...heard].sort()).toEqual(['a 1', 'a signal']));
    await pause(100);
    expect(heard).toHaveLength(2);
    expect(await b.bus.depth('work')).toBe(0);
  });

  it('refuses within seconds to publish while the server is away, and comes back by itself', async () => {
    const link = await Link.to(kind.url());
    try {
      const party = await join(link.url);
      await connected(party);
      const got: { n: number }[] = [];
      const heard: unknown[] = [];
      party.strategy.consume('work', (payloads) => got.push(...payloads));
      listening(party);
      await party.bus.subscribe('abort', (payload) => heard.push(payload));
      await party.bus.publish('work', [{ n: 1 }]);
      await eventually(() => expect(got).toHaveLength(1));
      link.down();
      await eventually(() => expect(party.bus.state).toBe('down'));
      const began = performance.now();
      await expect(party.bus.publish('work', [{ n: 2 }])).rejects.toThrow(BusUnavailable);
      await expect(party.bus.signal('abort', {})).rejects.toThrow(BusUnavailable);
      expect(await party.bus.depth('work')).toBeNull();
      expect(performance.now() - began).toBeLessThan(12_000);
      link.restore();
      await connected(party);
      await eventually(async () => {
        await party.bus.publish('work', [{ n: 3 }]);
        await party.bus.signal('abort', { again: true });
        expect(got.map(({ n }) => n)).toContain(3);
        expect(heard).toContainEqual({ again: true });
      });
    } finally {
      for (const party of parties.splice(0)) await party.close();
      await link.close();
    }
  });

  it('starts without its server, says so, and begins when the server is there', async () => {
    const link = await Link.to(kind.url());
    link.down();
    try {
      const party = await join(link.url);
      const got: unknown[] = [];
      party.strategy.consume('work', (payloads) => got.push(...payloads));
      listening(party);
      await pause(150);
      expect(party.bus.state).toBe('down');
      await expect(party.bus.publish('work', [{ n: 1 }])).rejects.toThrow(BusUnavailable);
      link.restore();
      await connected(party);
      await party.bus.publish('work', [{ n: 2 }]);
      await eventually(() => expect(got).toEqual([{ n: 2 }]));
    } finally {
      for (const party of parties.splice(0)) await party.close();
      await link.close();
    }
  });

  it('sends once more what a connection took along before it was confirmed', async () => {
    const link = await Link.to(kind.url());
    try {
      const [sender, reader] = [await join(link.url), await join()];
      await connected(sender, reader);
      const got: { mark: string }[] = [];
      reader.strategy.consume('work', (payloads) => got.push(...payloads));
      listening(reader);
      await sender.bus.publish('work', [{ mark: 'before' }]);
      let cuts = 0;
      link.listen((said) => {
        if (cuts === 0 && said.includes('cut-here')) {
          cuts += 1;
          link.cut();
        }
      });
      await sender.bus.publish('work', [{ mark: 'cut-here' }]);
      expect(cuts).toBe(1);
      await eventually(() => expect(got.map(({ mark }) => mark)).toContain('cut-here'));
      expect(got.length).toBeLessThanOrEqual(3);
    } finally {
      link.cut();
      for (const party of parties.splice(0)) await party.close();
      await link.close();
    }
  });

  it('bounds what is unconfirmed when the way to the server is frozen', async () => {
    const link = await Link.to(kind.url());
    try {
      const party = await join(link.url);
      await connected(party);
      await party.bus.publish('work', [{ n: 1 }]);
      link.freeze();
      const began = performance.now();
      const results = await Promise.allSettled(
        Array.from({ length: 20 }, (_, i) => party.bus.publish('work', numbers(i, 500))),
      );
      expect(results.every(({ status }) => status === 'rejected')).toBe(true);
      expect(performance.now() - began).toBeLessThan(8_000);
      link.restore();
      await connected(party);
      await eventually(() => party.bus.publish('work', [{ n: 2 }]).then(() => true), { timeoutMs: 30_000 });
    } finally {
      link.cut();
      for (const party of parties.splice(0)) await party.close();
      await link.close();
    }
  });
});
