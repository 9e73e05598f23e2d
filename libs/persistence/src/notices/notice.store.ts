import type { NoticeOutcome } from '@app/domain';
import type { Tx } from '../database/database.js';
import { claimNotices } from './claim-notices.sql.js';
import { endDelivery } from './end-delivery.sql.js';
import { listNotices } from './list-notices.sql.js';

/** One notice, named by its execution, round and hook. */
export interface NoticeName {
  readonly executionId: string;
  readonly round: number;
  /** Position in the pipeline's `notify`. */
  readonly hook: number;
}

export interface ClaimedNotice extends NoticeName {
  readonly outcome: NoticeOutcome;
  readonly at: Date;
  /** Exact JSON text of the execution's failure. */
  readonly error: string | null;
  /** JSON text: a list of `{node, total, succeeded, failed, cancelled}`, the node by its position. */
  readonly fanOuts: string;
  readonly attempt: number;
  readonly charged: number;
  readonly versionId: number;
  readonly input: string;
  readonly labels: string;
}

/** What becomes of a notice after an attempt. */
export type DeliveryEnd =
  | { readonly state: 'delivered' }
  | { readonly state: 'failed'; readonly charged: number; readonly error: string }
  | { readonly state: 'pending'; readonly charged: number; readonly waitMs: number; readonly error: string | null };

export interface NoticeRow {
  readonly round: number;
  readonly hook: number;
  readonly outcome: NoticeOutcome;
  readonly at: Date;
  readonly state: 'pending' | 'running' | 'delivered' | 'failed';
  readonly attempt: number;
  readonly dueAt: Date | null;
  readonly error: string | null;
  readonly endedAt: Date | null;
}

/** Notices of outcomes and their delivery. */
export class NoticeStore {
  /** @param forMs after that time somebody else may have them */
  async claim(db: Tx, args: { most: number; forMs: number }): Promise<ClaimedNotice[]> {
    return (await db.query(claimNotices, [args.most, args.forMs])).rows as unknown as ClaimedNotice[];
  }

  /** False: the claim is no longer the newest, and nothing changed. */
  async end(db: Tx, notice: ClaimedNotice, end: DeliveryEnd): Promise<boolean> {
    const charged = end.state === 'delivered' ? notice.charged : end.charged;
    const { rowCount } = await db.query(endDelivery, [
      notice.executionId,
      notice.round,
      notice.hook,
      notice.attempt,
      end.state,
      charged,
      end.state === 'pending' ? end.waitMs : 0,
      end.state === 'delivered' ? null : end.error,
    ]);
    return rowCount === 1;
  }

  async page(
    db: Tx,
    args: { executionId: string; after: { round: number; hook: number } | null; limit: number },
  ): Promise<NoticeRow[]> {
    const after = args.after ?? { round: 0, hook: -1 };
    return (await db.query(listNotices, [args.executionId, after.round, after.hook, args.limit]))
      .rows as unknown as NoticeRow[];
  }
}
