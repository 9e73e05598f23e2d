import { createHash } from 'node:crypto';
import { topLevelId } from '@app/domain';
import type { ForeignConsumer, ForeignMessage, ForeignQueues } from '@app/messaging';
import {
  inTransaction,
  isTransient,
  type Database,
  type PlanSource,
  type TriggerRow,
  type TriggerStore,
  type Tx,
} from '@app/persistence';
import { sleep, type Clock, type Logger, type Random } from '@app/runtime';
import { labelsWith, StartRefused, type Starter } from '@app/starting';
import { inputOf, MessageRefused, type MessageInput } from './message-input.js';

/** Messages of one trigger that one orchestrator has in hand. */
const prefetch = 10;
/** A message that fails for a reason nobody knows is tried so often. */
const mostTries = 5;
const firstRestMs = 250;
const longestRestMs = 15_000;
const weekMs = 7 * 86_400_000;
/** Of a refused message so much is kept. */
const keptBytes = 65_536;
/** What may be over later, by somebody's deed: the message waits, and those behind it with it. */
const passing = ['QUOTA.EXCEEDED', 'PIPELINE.DISABLED'];

/** `AREA.REASON`, and why. */
interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** A message in hand. */
interface Arrival {
  readonly message: ForeignMessage;
  /** That it came has been counted. */
  isCounted: boolean;
}

export interface ConsumerParts {
  readonly database: Database;
  readonly store: TriggerStore;
  readonly plans: PlanSource;
  readonly starter: Starter;
  readonly foreign: ForeignQueues;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly limitBytes: number;
  /** An execution was started. */
  readonly started: (id: string) => void;
}

/**
 * The messages of one trigger's queue, in one orchestrator.
 *
 * A message is acknowledged once its execution is committed, or it is known to be one that came before, or it is set aside with the
 * reason. Until then it stays in hand: never is one rejected, so no message goes round and round. What cannot be
 * accepted now (a quota is used up, the pipeline takes nothing, the database is away) waits here, longer after each try,
 * and the broker hands out no more than the prefetch meanwhile.
 *
 * Each is counted in the transaction that makes it what it is, so the counts are those of what is there, whoever dies when.
 *
 * Dying between any two lines: what was not acknowledged comes again, to whoever consumes, and is counted as the delivery it is. With a
 * message id it is known then; without one it starts a second execution.
 */
export class TriggerConsumer {
  private hasCounted = false;
  /** What keeps it from going on, as was told last. */
  private told: string | null | undefined;
  private held: Refusal | null = null;
  private readonly consumer: ForeignConsumer;

  constructor(
    readonly trigger: TriggerRow,
    private readonly parts: ConsumerParts,
  ) {
    const { queue, exchange, routingKey } = trigger;
    this.consumer = parts.foreign.consume({ queue, exchange, routingKey, prefetch }, (message, signal) =>
      this.handle(message, signal),
    );
  }

  async stop(): Promise<void> {
    await this.consumer.stop();
    await this.tell();
  }

  /** Adds up what was counted since the last time, and writes what keeps it from going on where that has changed. */
  async tell(): Promise<void> {
    const { store, database } = this.parts;
    const trouble = this.trouble;
    if (trouble !== this.told) {
      await store.noteTrouble(database.any, this.trigger.id, trouble);
      this.told = trouble;
    }
    if (!this.hasCounted) return;
    this.hasCounted = false;
    await store.sumCounts(database.any, this.trigger.id);
  }

  private get trouble(): string | null {
    if (this.consumer.trouble !== null)
      return JSON.stringify({ code: 'QUEUE.NOT_CONSUMED', message: this.consumer.trouble });
    return this.held && JSON.stringify(this.held);
  }

  private async handle(message: ForeignMessage, signal: AbortSignal): Promise<void> {
    const arrival: Arrival = { message, isCounted: false };
    const refusal = await this.untilTaken(arrival, signal);
    if (refusal) await this.untilSetAside(arrival, refusal, signal);
    this.hasCounted = true;
    this.held = null;
  }

  /** @returns why it never becomes an execution; null: it has become one */
  private async untilTaken(arrival: Arrival, signal: AbortSignal): Promise<Refusal | null> {
    let unknown = 0;
    for (let tries = 1; ; tries++) {
      try {
        await this.take(arrival);
        return null;
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal) return refusal;
        if (isUnknown(error)) unknown++;
        if (unknown >= mostTries) return { code: 'MESSAGE.FAILED', message: (error as Error).message };
        this.hold(error, tries);
        await this.countWaiting(arrival);
      }
      await rest(tries, signal);
    }
  }

  private async untilSetAside(arrival: Arrival, refusal: Refusal, signal: AbortSignal): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.setAside(arrival, refusal);
      } catch (error) {
        this.hold(error, tries);
      }
      await rest(tries, signal);
    }
  }

  private hold(error: unknown, tries: number): void {
    const code = error instanceof StartRefused ? error.code : 'MESSAGE.WAITS';
    this.held = { code, message: (error as Error).message };
    if (Number.isInteger(Math.log2(tries)))
      this.parts.logger.warn({ trigger: this.trigger.name, tries, ...this.held }, 'a message waits');
  }

  /** That it came is told before it is known what becomes of it. Where the database is away it is counted with that. */
  private async countWaiting(arrival: Arrival): Promise<void> {
    if (arrival.isCounted) return;
    const { store, database } = this.parts;
    try {
      await store.count(database.any, this.trigger.id, 'waits', false);
      arrival.isCounted = true;
      this.hasCounted = true;
    } catch (error) {
      if (!isTransient(error)) throw error;
    }
  }

  /** @throws MessageRefused, StartRefused, or what the database says */
  private async take({ message, isCounted }: Arrival): Promise<void> {
    const { database, store, limitBytes, clock, random } = this.parts;
    const read = inputOf(message, limitBytes);
    const id = topLevelId(clock.now(), random.bytes(10));
    const isNew = await inTransaction(database.pool, async (tx) => {
      const starts = await this.start(tx, id, message.messageId, read);
      await store.count(tx, this.trigger.id, starts ? 'started' : 'duplicate', isCounted);
      return starts;
    });
    if (isNew) this.parts.started(id);
  }

  private async start(tx: Tx, id: string, messageId: string | null, read: MessageInput): Promise<boolean> {
    const { store, plans, starter, random } = this.parts;
    const { name, pipeline, version, priority } = this.trigger;
    if (messageId !== null) {
      const bodyHash = createHash('sha256').update(read.canonical).digest();
      const scope = `trigger:${this.trigger.id}`;
      const known = await store.claimMessage(tx, { scope, messageId, bodyHash, executionId: id, keepForMs: weekMs });
      if (known === 'same') return false;
      if (known === 'other')
        throw new MessageRefused('MESSAGE.ID_REUSED', 'a message with this id and another body came before');
    }
    const versionId = await plans.resolve(tx, pipeline, version);
    if (versionId === null) throw new StartRefused('PIPELINE.UNKNOWN', `the pipeline ${pipeline} is not there`);
    const { whole: plan } = await plans.at(tx, versionId, []);
    starter.checkInput(plan, read.input);
    const labels = labelsWith(this.trigger.labels, { trigger: name, ...(messageId === null ? {} : { messageId }) });
    const traceId = random.bytes(16).toString('hex');
    const { input } = read;
    await starter.start(tx, { id, pipeline, versionId, plan, input, labels, priority, traceId, key: null });
    return true;
  }

  private async setAside({ message, isCounted }: Arrival, refusal: Refusal): Promise<void> {
    const { store, database, logger } = this.parts;
    const { body, messageId } = message;
    await store.keepRefused(database.any, this.trigger.id, {
      messageId: messageId?.replaceAll('\u0000', '') ?? null,
      reason: JSON.stringify(refusal),
      body: body.subarray(0, keptBytes),
      bytes: body.length,
      isCounted,
    });
    logger.warn({ trigger: this.trigger.name, messageId, code: refusal.code }, 'a message was set aside');
  }
}

/** Null: it may be accepted later. */
function refusalOf(error: unknown): Refusal | null {
  const isFinal = error instanceof MessageRefused || (error instanceof StartRefused && !passing.includes(error.code));
  return isFinal ? { code: error.code, message: error.message.slice(0, 1_000) } : null;
}

function isUnknown(error: unknown): boolean {
  return !(error instanceof StartRefused) && !isTransient(error);
}

/** @throws Error when the consumer is told to stop */
async function rest(tries: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.min(longestRestMs, firstRestMs * 2 ** Math.min(tries, 10)), signal);
  if (signal.aborted) throw new Error('the consumer is told to stop');
}
