import type { Logger } from '@app/runtime';
import type { Bus, BusState } from '../bus/bus.js';
import type { BusMetrics } from '../bus/bus-metrics.js';
import { BusUnavailable } from '../bus/bus-unavailable.js';
import { signalBody } from '../bus/signal-body.js';
import { DEAD_LETTER_LIMIT, DEAD_LETTER_QUEUE } from '../delivery/dead-letter.js';
import { DOORBELL, signalChannel, type BusStore } from './bus-store.js';

const STATEMENT_MESSAGES = 1_000;
const PUBLISH_TIMEOUT_MS = 5_000;

/** The bus over Postgres: rows are the queues, a notification is the doorbell, and a poll is the slow, certain path. */
export class PostgresBus implements Bus {
  private readonly bells = new Map<string, Set<() => void>>();
  private unlisten: Promise<() => Promise<void>> | undefined;

  constructor(
    readonly store: BusStore,
    private readonly logger: Logger,
    private readonly metrics: BusMetrics,
  ) {}

  open(): this {
    this.unlisten = this.store.listen(DOORBELL, (queue) => {
      for (const ring of this.bells.get(queue) ?? []) ring();
    });
    this.unlisten.catch((err: unknown) => this.logger.warn({ err }, 'doorbell not heard; polling'));
    return this;
  }

  get state(): BusState {
    return this.store.state;
  }

  /** Calls `ring` whenever something is published to the queue. */
  onPublished(queue: string, ring: () => void): () => void {
    const rings = this.bells.get(queue) ?? new Set();
    this.bells.set(queue, rings.add(ring));
    return () => void rings.delete(ring);
  }

  async publish(queue: string, messages: readonly object[]): Promise<void> {
    if (messages.length === 0) return;
    const bodies = messages.map((message) => JSON.stringify(message));
    try {
      await bounded(twice(() => this.insert(queue, bodies)));
      this.metrics.published(queue, messages.length);
    } catch (error) {
      this.metrics.publishFailed(queue, messages.length);
      throw error instanceof BusUnavailable ? error : new BusUnavailable((error as Error).message);
    }
  }

  async signal(topic: string, payload: object): Promise<void> {
    const body = signalBody(topic, payload);
    try {
      await bounded(twice(() => this.store.notify(signalChannel(topic), body)));
    } catch (error) {
      throw error instanceof BusUnavailable ? error : new BusUnavailable((error as Error).message);
    }
  }

  subscribe(topic: string, listener: (payload: unknown) => void): Promise<() => Promise<void>> {
    return this.store.listen(signalChannel(topic), (text) => {
      try {
        listener(JSON.parse(text));
      } catch (err) {
        this.logger.error({ err, topic }, 'signal listener failed');
      }
    });
  }

  async depth(queue: string): Promise<number | null> {
    try {
      return await bounded(this.store.depth(queue));
    } catch {
      return null;
    }
  }

  async close(): Promise<void> {
    await this.store.close();
  }

  private async insert(queue: string, bodies: readonly string[]): Promise<void> {
    for (let from = 0; from < bodies.length; from += STATEMENT_MESSAGES)
      await this.store.publish(queue, bodies.slice(from, from + STATEMENT_MESSAGES));
    if (queue === DEAD_LETTER_QUEUE) await this.store.trim(queue, DEAD_LETTER_LIMIT);
  }
}

/** Once more over another connection, should the first be lost before its answer: a hint may come twice. */
const twice = (work: () => Promise<void>): Promise<void> => work().catch(() => work());

const bounded = async <T>(work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new BusUnavailable('the database did not answer in time')), PUBLISH_TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};
