import type { Tx } from '../database/database.js';
import { claimMessage } from './claim-message.sql.js';
import { countMessage } from './count-message.sql.js';
import { deleteTrigger } from './delete-trigger.sql.js';
import { enabledTriggers } from './enabled-triggers.sql.js';
import { findMessage } from './find-message.sql.js';
import { keepRefusedMessage } from './keep-refused-message.sql.js';
import { listRefusedMessages } from './list-refused-messages.sql.js';
import { listTriggers } from './list-triggers.sql.js';
import { noteTrouble } from './note-trouble.sql.js';
import { putTrigger } from './put-trigger.sql.js';
import { sumMessageCounts } from './sum-message-counts.sql.js';
import type { TriggerRow, TriggerTerms } from './trigger-columns.js';

/** What became of a message: an execution, nothing new, or it waits. */
export type MessageFate = 'started' | 'duplicate' | 'waits';

export interface RefusedMessage {
  readonly messageId: string | null;
  /** JSON text. */
  readonly reason: string;
  /** The beginning of the body. */
  readonly body: Buffer;
  /** Of the whole body. */
  readonly bytes: number;
  /** That it came is counted already. */
  readonly isCounted: boolean;
}

export interface RefusedMessageRow extends Omit<RefusedMessage, 'isCounted'> {
  readonly id: number;
  readonly at: Date;
}

/** Refused messages of one trigger that are kept. */
const mostRefused = 1_000;
/** Counts that are added up at a time. */
const mostSummed = 10_000;

/** Triggers, and what became of their messages. */
export class TriggerStore {
  /** True when it is new. */
  async put(tx: Tx, name: string, terms: TriggerTerms): Promise<boolean> {
    const { pipeline, version, queue, exchange, routingKey, labels, priority, enabled } = terms;
    const values = [name, pipeline, version, queue, exchange, routingKey, labels, priority, enabled];
    return (await tx.query<{ created: boolean }>(putTrigger, values)).rows[0]!.created;
  }

  async page(db: Tx, args: { after: string | null; limit: number }): Promise<TriggerRow[]> {
    return (await db.query(listTriggers, [args.after, args.limit, null])).rows as unknown as TriggerRow[];
  }

  async find(db: Tx, name: string): Promise<TriggerRow | null> {
    return ((await db.query(listTriggers, [null, 1, name])).rows[0] as unknown as TriggerRow) ?? null;
  }

  async enabled(db: Tx): Promise<TriggerRow[]> {
    return (await db.query(enabledTriggers)).rows as unknown as TriggerRow[];
  }

  async remove(db: Tx, name: string): Promise<boolean> {
    return (await db.query(deleteTrigger, [name])).rowCount === 1;
  }

  /** @param isCounted that it came is counted already */
  async count(tx: Tx, id: number, fate: MessageFate, isCounted: boolean): Promise<void> {
    const received = isCounted ? 0 : 1;
    await tx.query(countMessage, [id, received, fate === 'started' ? 1 : 0, fate === 'duplicate' ? 1 : 0, 0]);
  }

  /** Adds what was counted to the trigger's own row. */
  async sumCounts(db: Tx, id: number): Promise<void> {
    await db.query(sumMessageCounts, [id, mostSummed]);
  }

  /** @param trouble JSON text of what keeps it from going on; null: that is over */
  async noteTrouble(db: Tx, id: number, trouble: string | null): Promise<void> {
    await db.query(noteTrouble, [id, trouble]);
  }

  async keepRefused(db: Tx, id: number, message: RefusedMessage): Promise<void> {
    const { messageId, reason, body, bytes, isCounted } = message;
    await db.query(keepRefusedMessage, [id, messageId, reason, body, bytes, mostRefused, isCounted ? 0 : 1]);
  }

  async refused(db: Tx, args: { id: number; before: number | null; limit: number }): Promise<RefusedMessageRow[]> {
    return (await db.query(listRefusedMessages, [args.id, args.before, args.limit]))
      .rows as unknown as RefusedMessageRow[];
  }

  /** Takes a message id for an execution. @returns `new`, or whether the same body came with it before */
  async claimMessage(
    tx: Tx,
    args: { scope: string; messageId: string; bodyHash: Buffer; executionId: string; keepForMs: number },
  ): Promise<'new' | 'same' | 'other'> {
    const { scope, messageId, bodyHash, executionId, keepForMs } = args;
    const claimed = await tx.query(claimMessage, [scope, messageId, bodyHash, executionId, keepForMs]);
    if (claimed.rowCount === 1) return 'new';
    const { rows } = await tx.query<{ bodyHash: Buffer }>(findMessage, [scope, messageId]);
    if (!rows[0]) throw new Error('a message id was forgotten in between');
    return rows[0].bodyHash.equals(bodyHash) ? 'same' : 'other';
  }
}
