import { childIdRange } from '@app/domain';
import type { Tx } from '../database/database.js';
import type { FanOutFactSource } from '../execution-path/fan-out-facts.js';
import { cancelBelow } from './cancel-below.sql.js';
import { cancelChildren } from './cancel-children.sql.js';
import { cancelExecution } from './cancel-execution.sql.js';
import { dropEmptyHandouts } from './drop-empty-handouts.sql.js';
import { endedFromOutside } from './ended-from-outside.js';
import { lockedLineage } from './lineage.js';
import { lockThose } from './lock-those.sql.js';
import type { Reopening } from './reopening.js';
import { waitingForDestination } from './waiting-for-destination.sql.js';
import { waitsForDestination } from './waits-for-destination.sql.js';

const pageSize = 1_000;

export interface WaitingCancel {
  readonly executionId: string;
  readonly fanOutId: number | null;
  /** JSON text. */
  readonly filter: string;
  readonly position: string | null;
  /** What was born later does not belong to it. */
  readonly createdAt: Date;
}

interface Named {
  readonly destination: number;
  readonly name: string;
  readonly names: readonly string[];
}

/** One page of a cancel of what waits for a destination or calls it, with the gate of the root held alone. */
export class WaitingCancels {
  constructor(
    private readonly facts: FanOutFactSource,
    private readonly reopening: Reopening,
  ) {}

  /** @returns how many were cancelled, those of them whose calls are to end, and where to go on (null: there is nothing more) */
  async page(tx: Tx, command: WaitingCancel): Promise<{ moved: number; running: string[]; last: string | null }> {
    const named = JSON.parse(command.filter) as Named;
    const cause = JSON.stringify({
      class: 'CANCELLED',
      code: 'EXECUTION.CANCELLED',
      message: `what waited for the destination ${named.name} was cancelled by an operator`,
    });
    if (command.fanOutId === null) return this.topLevel(tx, command.executionId, named, cause);
    const facts = (await this.facts.of(tx, [command.fanOutId])).get(command.fanOutId)!;
    const [first, end] = childIdRange(facts.rootId, command.fanOutId);
    const { rows } = await tx.query<{ id: string; running: boolean }>(waitingForDestination, [
      command.fanOutId,
      named.names,
      named.destination,
      command.position ?? first,
      end,
      command.createdAt,
      pageSize,
    ]);
    const ids = rows.map((r) => r.id);
    await tx.query(lockThose, [ids]);
    const cancelled = await tx.query<{ cancelled: number }>(cancelChildren, [command.fanOutId, ids, cause]);
    await tx.query(cancelBelow, [ids]);
    const last = ids.length < pageSize ? null : ids.at(-1)!;
    if (last === null) await tx.query(dropEmptyHandouts, [facts.rootId, command.fanOutId, named.names]);
    return {
      moved: cancelled.rows[0]!.cancelled,
      running: rows.filter((r) => r.running).map((r) => r.id),
      last,
    };
  }

  private async topLevel(
    tx: Tx,
    id: string,
    named: Named,
    cause: string,
  ): Promise<{ moved: number; running: string[]; last: null }> {
    const nothing = { moved: 0, running: [], last: null };
    const [self] = await lockedLineage(tx, id);
    if (!self) return nothing;
    const { rows } = await tx.query<{ waits: boolean }>(waitsForDestination, [id, named.names, named.destination]);
    if (!rows[0]!.waits || (await tx.query(cancelExecution, [id, cause])).rowCount !== 1) return nothing;
    await endedFromOutside(tx, self, (await this.reopening.placeOf(tx, self)).at.whole, 'CANCELLED');
    await tx.query(cancelBelow, [[id]]);
    await tx.query(dropEmptyHandouts, [id, null, named.names]);
    return { moved: 1, running: [id], last: null };
  }
}
