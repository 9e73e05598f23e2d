import type { Channel, ConsumeMessage } from 'amqplib';
import type { Logger } from '@app/runtime';
import { BusUnavailable } from '../bus/bus-unavailable.js';
import { deliverBatch, type DeliveryTools } from '../delivery/batch-delivery.js';
import type { Capacity, QueueConsumer } from '../delivery/queue-consumer.js';
import type { QueueBinding } from '../delivery/queue-options.js';
import { AckWindow } from './ack-window.js';
import { abandon, answerWithin } from './answer-within.js';
import { Backoff } from './backoff.js';
import type { QueuePolicy } from './queue-policy.js';
import type { RabbitMqConnection } from './rabbitmq-connection.js';

// A quorum queue that is deleted and declared anew within some thirty milliseconds takes its consumers along without a
// word: they count as consumers, and what they are handed arrives nowhere. No question to the broker tells this from a
// quiet queue, so a consumer that hears nothing is replaced by a new one, which costs a quiet process almost nothing.
const QUIET_MS = 5_000;
// A broker writes each acknowledgement down. Few messages that are done wait for others, as long as the broker does not wait for them.
const ACK_REST_MS = 50;
const ACK_AT_PART = 16;
const LEAVE_TIMEOUT_MS = 2_000;
// A quorum queue whose log was lost with its broker never answers again. What is in it are hints, which the sweeps give anew.
const DELETE_AFTER_SILENCES = 3;

/** A channel and what is known only within it. A lost channel takes all of this with it: its tags mean nothing elsewhere. */
interface Session {
  readonly channel: Channel;
  readonly acks: AckWindow;
  consumerTag: string | undefined;
  /** How many messages the broker hands over before they are acknowledged. */
  prefetch: number;
  lost: boolean;
  acking: boolean;
  ackTimer: NodeJS.Timeout | undefined;
}

interface Arrival {
  readonly session: Session;
  readonly message: ConsumeMessage;
}

/**
 * One queue, on a channel of its own so that nobody shares its fate. All repair is one method, {@link adjust}: it
 * compares what there is with what there should be (a channel; a consumer on it while there is capacity) and makes one
 * into the other. Whatever happens — connection back, channel closed, consumer cancelled by the broker, queue deleted,
 * capacity gone or back — only calls it. It runs once at a time and is called again on failure. A channel on which the broker
 * does not answer counts as lost.
 */
export class RabbitMqConsumer implements QueueConsumer {
  established = false;
  private readonly logger: Logger;
  private readonly backoff = new Backoff();
  private readonly inFlight = new Set<Promise<void>>();
  private arrivals: Arrival[] = [];
  private session: Session | undefined;
  private adjusting: Promise<void> | undefined;
  private again = false;
  private retry: NodeJS.Timeout | undefined;
  /** It failed and will be tried again, in its own time. */
  private isWaiting = false;
  private draining = false;
  /** How often in a row the broker gave no answer about this queue. */
  private silences = 0;
  private heardAt = 0;
  private watch: NodeJS.Timeout | undefined;
  private readonly onUp = () => this.poke();

  constructor(
    private readonly connection: RabbitMqConnection,
    private readonly policies: { readonly queue: QueuePolicy; readonly deadLetters: QueuePolicy },
    private readonly binding: QueueBinding,
    private readonly capacity: Capacity,
    private readonly tools: DeliveryTools,
  ) {
    this.logger = tools.logger.child({ queue: binding.queue });
  }

  start(): void {
    this.connection.on('up', this.onUp);
    this.watch = setInterval(() => (this.isQuiet() || (this.isOff() && !this.isWaiting)) && this.poke(), QUIET_MS / 2);
    this.poke();
  }

  poke(): void {
    if (this.draining) return;
    if (this.adjusting) {
      this.again = true;
      return;
    }
    clearTimeout(this.retry);
    this.isWaiting = false;
    this.adjusting = this.adjustUntilSettled().finally(() => {
      this.adjusting = undefined;
    });
  }

  async drain(): Promise<void> {
    this.draining = true;
    this.connection.off('up', this.onUp);
    clearTimeout(this.retry);
    clearInterval(this.watch);
    await this.adjusting;
    // Prefetched messages that no handler has seen go back to the queue when the channel closes.
    this.arrivals = [];
    const session = this.session;
    if (session?.consumerTag && !session.lost)
      await answerWithin(session.channel.cancel(session.consumerTag), LEAVE_TIMEOUT_MS).catch(() => undefined);
    this.arrivals = [];
    await Promise.all(this.inFlight);
    if (!session || session.lost) return;
    this.acknowledge(session);
    await answerWithin(session.channel.close(), LEAVE_TIMEOUT_MS).catch(() => undefined);
  }

  private async adjustUntilSettled(): Promise<void> {
    do {
      this.again = false;
      try {
        this.established = await this.adjust();
        this.backoff.reset();
        this.silences = 0;
      } catch (err) {
        this.established = false;
        if (err instanceof BusUnavailable) await this.giveUpSession();
        const delayMs = this.backoff.next();
        this.logger.warn({ err: { message: (err as Error).message }, delayMs }, 'queue not consumed; trying again');
        this.isWaiting = true;
        this.retry = setTimeout(() => this.poke(), delayMs);
        return;
      }
    } while (this.again && !this.draining);
  }

  /** @returns whether everything is as it should be; the connection tells when it is back */
  private async adjust(): Promise<boolean> {
    if (!this.connection.model) return false;
    if (this.isQuiet()) await this.retireSession();
    const session = this.session && !this.session.lost ? this.session : await this.openSession();
    this.session = session;
    const room = this.capacity();
    if (session.consumerTag && (room <= 0 || this.isNarrow(session, room))) await endConsuming(session);
    if (room > 0 && !session.consumerTag) await this.beginConsuming(session, room);
    return !session.lost;
  }

  /** There is room again for more messages than the broker was asked for when there was little. */
  private isNarrow({ prefetch }: Session, room: number): boolean {
    return prefetch < this.binding.prefetch && room >= 2 * prefetch;
  }

  private async giveUpSession(): Promise<void> {
    const session = this.session;
    this.session = undefined;
    if (session) {
      this.leave(session);
      abandon(session.channel);
    }
    this.silences += 1;
    if (this.silences % DELETE_AFTER_SILENCES === 0) await this.deleteQueue().catch(() => undefined);
  }

  private async deleteQueue(): Promise<void> {
    const channel = await this.connection.model?.createChannel();
    if (!channel) return;
    channel.on('error', (err) => this.logger.warn({ err: { message: err.message } }, 'channel failed'));
    this.logger.error({ silences: this.silences }, 'a queue that gives no answer is deleted, to be declared anew');
    try {
      await answerWithin(channel.deleteQueue(this.policies.queue.name));
    } finally {
      abandon(channel);
    }
  }

  /** What of it has arrived and not begun is handed out again by the broker; handling it here too would only double the work. */
  private leave(session: Session): void {
    session.lost = true;
    this.arrivals = this.arrivals.filter((arrival) => arrival.session !== session);
  }

  private isQuiet(): boolean {
    const idle = this.arrivals.length === 0 && this.inFlight.size === 0;
    return idle && Boolean(this.session?.consumerTag) && this.tools.clock.monotonic() - this.heardAt >= QUIET_MS;
  }

  /** Whoever has room again tells so; one who did not is found here, late, for a consumer that stays away for good is an outage. */
  private isOff(): boolean {
    return this.capacity() > 0 !== Boolean(this.session?.consumerTag);
  }

  private async retireSession(): Promise<void> {
    const session = this.session!;
    if (!session.lost) await endConsuming(session);
    // What came in while the consumer was being cancelled is handled and acknowledged on its own channel.
    if (this.arrivals.length > 0 || this.inFlight.size > 0) return;
    this.acknowledge(session);
    this.session = undefined;
    if (!session.lost) await answerWithin(session.channel.close());
  }

  private async openSession(): Promise<Session> {
    const channel = await this.connection.model!.createChannel();
    const session: Session = {
      channel,
      acks: new AckWindow(),
      consumerTag: undefined,
      prefetch: 0,
      lost: false,
      acking: false,
      ackTimer: undefined,
    };
    channel.on('error', (err) => this.logger.warn({ err: { message: err.message } }, 'channel failed'));
    channel.on('handler-error', (err) => this.logger.error({ err }, 'channel event handler failed'));
    channel.once('close', () => {
      const known = session.lost;
      this.leave(session);
      if (known) return;
      this.established = false;
      this.poke();
    });
    return session;
  }

  /** Where each message is for one place, more of them than there is room for would only be given back, behind those that come after. */
  private async beginConsuming(session: Session, room: number): Promise<void> {
    const { prefetch: most, tight } = this.binding;
    const prefetch = tight ? Math.max(1, Math.min(most, Math.floor(room))) : most;
    if (prefetch !== session.prefetch) await answerWithin(session.channel.prefetch(prefetch));
    session.prefetch = prefetch;
    for (const { name, options } of [this.policies.deadLetters, this.policies.queue])
      await answerWithin(session.channel.assertQueue(name, options));
    let cancelled = false;
    const consume = session.channel.consume(this.policies.queue.name, (message) => {
      if (message) return this.arrive({ session, message });
      // Cancelled by the broker: the queue was deleted, or its node is gone.
      cancelled = true;
      session.consumerTag = undefined;
      this.logger.warn({}, 'consumer cancelled by the broker');
      this.poke();
    });
    const { consumerTag } = await answerWithin(consume);
    this.heardAt = this.tools.clock.monotonic();
    if (!cancelled) session.consumerTag = consumerTag;
  }

  private arrive(arrival: Arrival): void {
    if (arrival.session.lost) return;
    this.arrivals.push(arrival);
    this.heardAt = this.tools.clock.monotonic();
    // What arrives in the same turn of the event loop is one batch.
    if (this.arrivals.length === 1) setImmediate(() => this.dispatch());
  }

  private dispatch(): void {
    while (!this.draining && this.arrivals.length > 0 && this.inFlight.size < this.binding.concurrency) {
      const batch = this.arrivals.splice(0, this.binding.batch);
      const handled = this.handle(batch).finally(() => {
        this.inFlight.delete(handled);
        this.dispatch();
      });
      this.inFlight.add(handled);
    }
  }

  private async handle(batch: readonly Arrival[]): Promise<void> {
    await deliverBatch(
      this.binding,
      batch.map(({ message }) => message.content),
      this.tools,
    );
    for (const { session, message } of batch) {
      session.acks.finish(message.fields.deliveryTag);
      this.acknowledgeSoon(session);
    }
    const room = this.capacity();
    const { session } = this;
    if (this.isOff() || (session && this.isNarrow(session, room))) this.poke();
  }

  private acknowledgeSoon(session: Session): void {
    if (session.acking) return;
    if (session.acks.waiting * ACK_AT_PART < session.prefetch) {
      session.ackTimer ??= setTimeout(() => this.acknowledge(session), ACK_REST_MS);
      return;
    }
    session.acking = true;
    // A consumer that has no more room ends first: the broker answers an acknowledgement with the next message.
    setImmediate(() => {
      void (this.adjusting ?? Promise.resolve()).then(() => {
        session.acking = false;
        this.acknowledge(session);
      });
    });
  }

  /** The one place that acknowledges. */
  private acknowledge(session: Session): void {
    clearTimeout(session.ackTimer);
    session.ackTimer = undefined;
    const tag = session.lost ? undefined : session.acks.take();
    if (tag === undefined) return;
    try {
      session.channel.ack({ fields: { deliveryTag: tag } } as ConsumeMessage, true);
    } catch {
      // Closing under our hands: the broker hands them out again, and the rows tell that they are done.
    }
  }
}

const endConsuming = async (session: Session): Promise<void> => {
  const tag = session.consumerTag!;
  session.consumerTag = undefined;
  await answerWithin(session.channel.cancel(tag));
};
