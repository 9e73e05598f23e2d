import type { ConfirmChannel, Options } from 'amqplib';
import { sleep, type Logger } from '@app/runtime';
import { BusUnavailable } from '../bus/bus-unavailable.js';
import { abandon } from './answer-within.js';
import type { RabbitMqConnection } from './rabbitmq-connection.js';

const WINDOW_MESSAGES = 1_000;
const PUBLISH_TIMEOUT_MS = 5_000;
const AGAIN_AFTER_MS = 200;
const CONNECTION_WAIT_MS = 1_000;

/** Where messages go, and what must be there before. */
export interface Route {
  readonly exchange: string;
  readonly key: string;
  readonly options: Options.Publish;
  declare(channel: ConfirmChannel): Promise<unknown>;
}

/** A confirm channel, and whether its target is declared. Rebuilt as a whole when it closes. */
interface Session {
  readonly channel: ConfirmChannel;
  readonly returned: Set<string>;
  declared: Promise<unknown> | undefined;
  unconfirmed: number;
  full: boolean;
  lost: boolean;
}

/**
 * One target, a queue or an exchange, on a confirm channel of its own: a queue that gives no answer holds up nobody else. At
 * most a window of messages is unconfirmed; further ones wait their turn, and a slot is free again only when the broker has
 * answered, so a slow broker bounds our memory. Every publish has a deadline: whoever waits in vain is told, and treats its
 * messages as lost hints.
 *
 * What was not confirmed because the channel was lost, because the broker refused it or because no queue took it, is sent once
 * more within that deadline, on a channel as it is then: in its first moments after a start a broker takes connections and
 * loses channels, and a hint may come twice.
 */
export class RabbitMqOutlet {
  private session: Promise<Session> | undefined;
  private waiting: (() => void)[] = [];
  private serial = 0;

  constructor(
    private readonly connection: RabbitMqConnection,
    private readonly route: Route,
    private readonly logger: Logger,
  ) {
    // Those who wait look again, and see that they need not.
    for (const change of ['up', 'down', 'flow'] as const) connection.on(change, () => this.wake());
  }

  /** @throws BusUnavailable */
  async send(bodies: readonly string[]): Promise<void> {
    const deadline = new Deadline(PUBLISH_TIMEOUT_MS);
    try {
      const first = await this.round(bodies, deadline);
      if (first.left.length === 0) return;
      // The queue was deleted, perhaps: declared at once, it would hide that from its consumers; a moment later they know.
      await deadline.within(sleep(AGAIN_AFTER_MS));
      if (!this.connection.model) await deadline.within(Promise.race([this.change(), sleep(CONNECTION_WAIT_MS)]));
      const second = await this.round(first.left, deadline);
      if (second.left.length > 0) throw new BusUnavailable(second.why);
    } catch (error) {
      throw unavailable(error);
    } finally {
      deadline.clear();
    }
  }

  /** Sends once. Answers what was not confirmed, where it may be sent again. */
  private async round(bodies: readonly string[], deadline: Deadline): Promise<Unconfirmed> {
    let session: Session | undefined;
    try {
      session = await deadline.within(this.usable());
      await deadline.within((session.declared ??= this.route.declare(session.channel)));
      const sent = await this.sendAll(session, bodies, deadline);
      if (sent.left.length > 0) session.declared = undefined;
      return sent;
    } catch (error) {
      // A channel that gave no answer in time will hardly give one to the next.
      if (deadline.isPassed && session && !session.lost) this.leave(session);
      else if (!(error instanceof BusUnavailable) || session?.lost)
        return { left: bodies, why: (error as Error).message };
      throw error;
    }
  }

  private leave(session: Session): void {
    session.lost = true;
    abandon(session.channel);
    this.wake();
  }

  private async usable(): Promise<Session> {
    if (!this.connection.model && !this.connection.wasUp)
      await Promise.race([this.change(), sleep(CONNECTION_WAIT_MS)]);
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
    const session: Session = {
      channel,
      returned: new Set(),
      declared: undefined,
      unconfirmed: 0,
      full: false,
      lost: false,
    };
    channel.on('error', (err) => this.logger.warn({ err: { message: err.message } }, 'publishing channel failed'));
    channel.on('handler-error', (err) => this.logger.error({ err }, 'channel event handler failed'));
    channel.on('return', (message) => session.returned.add(String(message.properties.messageId)));
    channel.on('drain', () => {
      session.full = false;
      this.wake();
    });
    channel.once('close', () => {
      session.lost = true;
      this.wake();
    });
    return session;
  }

  private async sendAll(session: Session, bodies: readonly string[], deadline: Deadline): Promise<Unconfirmed> {
    const fates: Promise<Fate>[] = [];
    for (const body of bodies) {
      while (session.unconfirmed >= WINDOW_MESSAGES || session.full) {
        await deadline.within(this.change());
        this.demandFlow(session);
      }
      fates.push(this.sendOne(session, body));
    }
    const known = await deadline.within(Promise.all(fates));
    return {
      left: bodies.filter((_, index) => known[index] !== 'confirmed'),
      why: known.includes('returned') ? `queue ${this.route.key} takes no messages` : 'the broker did not confirm',
    };
  }

  private demandFlow(session: Session): void {
    if (session.lost) throw new BusUnavailable('the connection was lost');
    if (this.connection.blocked) throw new BusUnavailable('the broker accepts no messages for now');
  }

  // Never rejects: nobody may be waiting for it when the channel closes.
  private sendOne(session: Session, body: string): Promise<Fate> {
    return new Promise((resolve) => {
      const { exchange, key, options } = this.route;
      this.serial += 1;
      const messageId = String(this.serial);
      const whole = { ...options, messageId, contentType: 'application/json' };
      try {
        const more = session.channel.publish(exchange, key, Buffer.from(body), whole, (error: unknown) => {
          session.unconfirmed -= 1;
          this.wake();
          if (session.returned.delete(messageId)) resolve('returned');
          else resolve(error ? 'refused' : 'confirmed');
        });
        session.unconfirmed += 1;
        if (!more) session.full = true;
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

interface Unconfirmed {
  readonly left: readonly string[];
  readonly why: string;
}

/** What became of one message. */
type Fate = 'confirmed' | 'returned' | 'refused';

const unavailable = (error: unknown): BusUnavailable =>
  error instanceof BusUnavailable ? error : new BusUnavailable((error as Error).message);

/** One timer for all the waits of one publish. */
class Deadline {
  isPassed = false;
  private readonly passed: Promise<never>;
  private timer: NodeJS.Timeout | undefined;

  constructor(afterMs: number) {
    this.passed = new Promise((_, reject) => {
      this.timer = setTimeout(() => {
        this.isPassed = true;
        reject(new BusUnavailable('the broker did not answer in time'));
      }, afterMs);
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
