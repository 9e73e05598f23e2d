import type { ConfirmChannel, Options } from 'amqplib';
import { sleep, type Logger } from '@app/runtime';
import { BusUnavailable } from '../bus/bus-unavailable.js';
import { queuePolicy, signalExchange } from './queue-policy.js';
import type { RabbitMqConnection } from './rabbitmq-connection.js';

const WINDOW_MESSAGES = 1_000;
const PUBLISH_TIMEOUT_MS = 5_000;
const REDECLARE_AFTER_MS = 200;
const FIRST_CONNECTION_WAIT_MS = 1_000;

/** A confirm channel, and what has been declared on it. Rebuilt as a whole when it closes. */
interface Session {
  readonly channel: ConfirmChannel;
  readonly declared: Map<string, Promise<unknown>>;
  readonly returned: Set<string>;
  lost: boolean;
}

/**
 * Publishes with confirms over one channel. At most a window of messages is unconfirmed; further ones wait their turn,
 * and a slot is free again only when the broker has answered, so a slow broker bounds our memory. Every publish has a
 * deadline: whoever waits in vain is told, and treats its messages as lost hints.
 */
export class RabbitMqPublisher {
  private session: Promise<Session> | undefined;
  private unconfirmed = 0;
  private full = false;
  private waiting: (() => void)[] = [];
  private serial = 0;
  private wasUp = false;

  constructor(
    private readonly connection: RabbitMqConnection,
    private readonly namespace: string,
    private readonly logger: Logger,
  ) {
    connection.on('up', () => {
      this.wasUp = true;
      this.wake();
    });
    // Those who wait look again, and see that they need not.
    connection.on('down', () => this.wake());
    connection.on('flow', () => this.wake());
  }

  /** @throws BusUnavailable */
  async publish(queue: string, bodies: readonly string[]): Promise<void> {
    const policy = queuePolicy(this.namespace, queue);
    const deadline = new Deadline(PUBLISH_TIMEOUT_MS);
    try {
      const session = await deadline.within(this.usable());
      const declare = () =>
        this.declare(session, policy.name, () => session.channel.assertQueue(policy.name, policy.options));
      await deadline.within(declare());
      const returned = await this.sendAll(session, '', policy.name, bodies, persistent, deadline);
      if (returned.length === 0) return;
      // The queue was deleted after it had been declared here: declare it again, and send once more what came back.
      session.declared.delete(policy.name);
      // Declared at once, it would hide the deletion from its consumers; a moment later they have been told.
      await sleep(REDECLARE_AFTER_MS);
      await deadline.within(declare());
      const still = await this.sendAll(session, '', policy.name, returned, persistent, deadline);
      if (still.length > 0) throw new BusUnavailable(`queue ${queue} takes no messages`);
    } catch (error) {
      throw unavailable(error);
    } finally {
      deadline.clear();
    }
  }

  /** @throws BusUnavailable */
  async signal(topic: string, body: string): Promise<void> {
    const exchange = signalExchange(this.namespace, topic);
    const deadline = new Deadline(PUBLISH_TIMEOUT_MS);
    try {
      const session = await deadline.within(this.usable());
      await deadline.within(
        this.declare(session, exchange, () => session.channel.assertExchange(exchange, 'fanout', { durable: true })),
      );
      await this.sendAll(session, exchange, '', [body], {}, deadline);
    } catch (error) {
      throw unavailable(error);
    } finally {
      deadline.clear();
    }
  }

  private async usable(): Promise<Session> {
    if (!this.connection.model && !this.wasUp) await Promise.race([this.change(), sleep(FIRST_CONNECTION_WAIT_MS)]);
    if (!this.connection.model) throw new BusUnavailable('the broker is away');
    if (this.connection.blocked) throw new BusUnavailable('the broker accepts no messages for now');
    const opening = (this.session ??= this.openSession());
    try {
      const session = await opening;
      if (!session.lost) return session;
    } catch (error) {
      if (this.session === opening) this.session = undefined;
      throw error;
    }
    if (this.session === opening) this.session = undefined;
    return this.usable();
  }

  private async openSession(): Promise<Session> {
    const channel = await this.connection.model!.createConfirmChannel();
    const session: Session = { channel, declared: new Map(), returned: new Set(), lost: false };
    channel.on('error', (err) => this.logger.warn({ err: { message: err.message } }, 'publishing channel failed'));
    channel.on('handler-error', (err) => this.logger.error({ err }, 'channel event handler failed'));
    channel.on('return', (message) => session.returned.add(String(message.properties.messageId)));
    channel.on('drain', () => {
      this.full = false;
      this.wake();
    });
    channel.once('close', () => {
      session.lost = true;
      this.full = false;
      this.wake();
    });
    this.full = false;
    return session;
  }

  private declare(session: Session, name: string, run: () => Promise<unknown>): Promise<unknown> {
    const known = session.declared.get(name);
    if (known) return known;
    const declaring = run();
    session.declared.set(name, declaring);
    declaring.catch(() => session.declared.delete(name));
    return declaring;
  }

  /** Sends and waits for every confirm. Answers the bodies that no queue would take. */
  private async sendAll(
    session: Session,
    exchange: string,
    key: string,
    bodies: readonly string[],
    options: Options.Publish,
    deadline: Deadline,
  ): Promise<string[]> {
    const fates: Promise<Fate>[] = [];
    for (const body of bodies) {
      while (this.unconfirmed >= WINDOW_MESSAGES || this.full) {
        await deadline.within(this.change());
        this.demandFlow(session);
      }
      fates.push(this.send(session, exchange, key, body, options));
    }
    const known = await deadline.within(Promise.all(fates));
    if (known.includes('refused')) throw new BusUnavailable('the broker did not confirm');
    return bodies.filter((_, index) => known[index] === 'returned');
  }

  private demandFlow(session: Session): void {
    if (session.lost) throw new BusUnavailable('the connection was lost');
    if (this.connection.blocked) throw new BusUnavailable('the broker accepts no messages for now');
  }

  // Never rejects: nobody may be waiting for it when the channel closes.
  private send(session: Session, exchange: string, key: string, body: string, options: Options.Publish): Promise<Fate> {
    return new Promise((resolve) => {
      this.serial += 1;
      const messageId = String(this.serial);
      const whole = { ...options, messageId, contentType: 'application/json' };
      try {
        const more = session.channel.publish(exchange, key, Buffer.from(body), whole, (error: unknown) => {
          this.unconfirmed -= 1;
          this.wake();
          if (session.returned.delete(messageId)) resolve('returned');
          else resolve(error ? 'refused' : 'confirmed');
        });
        this.unconfirmed += 1;
        if (!more) this.full = true;
      } catch {
        resolve('refused');
      }
    });
  }

  private change(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  private wake(): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const resume of waiting) resume();
  }
}

/** What became of one message. */
type Fate = 'confirmed' | 'returned' | 'refused';

const persistent: Options.Publish = { persistent: true, mandatory: true };

const unavailable = (error: unknown): BusUnavailable =>
  error instanceof BusUnavailable ? error : new BusUnavailable((error as Error).message);

/** One timer for all the waits of one publish. */
class Deadline {
  private readonly passed: Promise<never>;
  private timer: NodeJS.Timeout | undefined;

  constructor(afterMs: number) {
    this.passed = new Promise((_, reject) => {
      this.timer = setTimeout(() => reject(new BusUnavailable('the broker did not answer in time')), afterMs);
    });
    this.passed.catch(() => undefined);
  }

  within<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.passed]);
  }

  clear(): void {
    clearTimeout(this.timer);
  }
}
