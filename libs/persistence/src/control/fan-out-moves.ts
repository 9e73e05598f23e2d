import type { Plan } from '@app/domain';
import type { Tx } from '../database/database.js';
import type { FanOutFactSource } from '../execution-path/fan-out-facts.js';
import type { PlanSource } from '../execution-path/plan-source.js';
import { addCommand } from './add-command.sql.js';
import { addFacts } from './add-facts.sql.js';
import { cancelFanOut } from './cancel-fan-out.sql.js';
import {
  ancestorCancelled,
  invalid,
  settledFanOut,
  type ControlAnswer,
  type ControlRefusal,
} from './control-answer.js';
import { dropNeedlessReleases } from './drop-needless-releases.sql.js';
import { dropReleasesBelow } from './drop-releases-below.sql.js';
import { fanOutOpenness } from './fan-out-openness.sql.js';
import { fanOutsOf } from './fan-outs-of.sql.js';
import { cancelledAbove, type LineageLevel } from './lineage.js';
import { patchFanOut } from './patch-fan-out.sql.js';
import { putFanOutMark } from './put-fan-out-mark.sql.js';
import { removeFanOutMark } from './remove-fan-out-mark.sql.js';
import { wakeBelow } from './wake-below.sql.js';

export interface FanOutChange {
  readonly maxConcurrency?: number | null;
  readonly failureTolerance?: { readonly maxFailureRatio?: string; readonly maxFailureCount?: number };
  readonly priority?: number;
}

interface Found {
  readonly id: number;
  readonly node: number;
  readonly mergeNode: number | null;
  readonly isOpen: boolean;
  readonly mark: 'pause' | 'cancel' | null;
}

/**
 * What an operator does to one fan-out, with the gate of its root held alone: its children and all below them, and nothing else
 * of its parent. A pause or a cancel is one mark, whatever the size; behind it nothing of the fan-out is spawned, admitted or claimed.
 */
export class FanOutMoves {
  constructor(
    private readonly plans: PlanSource,
    private readonly facts: FanOutFactSource,
  ) {}

  async pause(tx: Tx, levels: readonly LineageLevel[], node: string): Promise<ControlAnswer> {
    const found = await this.find(tx, levels, node);
    if ('ok' in found) return found;
    const cancelled = cancelling(levels);
    if (cancelled !== null) return ancestorCancelled(cancelled);
    if (!found.isOpen) return settledFanOut('paused', 'SETTLED');
    if (found.mark !== null) return settledFanOut('paused', found.mark === 'pause' ? 'PAUSED' : 'CANCELLED');
    const { id } = levels[0]!;
    const root = levels.at(-1)!.id;
    await tx.query(dropReleasesBelow, [root, id, found.id]);
    await tx.query(putFanOutMark, [id, found.id, root, 'pause']);
    await this.tell(tx, id, 'fanout_deferred', found.node, { reason: 'PAUSED' });
    return { ok: true };
  }

  async resume(tx: Tx, levels: readonly LineageLevel[], node: string): Promise<ControlAnswer> {
    const found = await this.find(tx, levels, node);
    if ('ok' in found) return found;
    const { id } = levels[0]!;
    const root = levels.at(-1)!.id;
    const { rowCount } = await tx.query(removeFanOutMark, [id, found.id, 'pause']);
    if (rowCount !== 1) return settledFanOut('resumed', found.isOpen ? 'OPEN' : 'SETTLED');
    await tx.query(dropNeedlessReleases, [root]);
    await tx.query(wakeBelow, [root]);
    await this.tell(tx, id, 'fanout_resumed', found.node, { reason: 'PAUSED' });
    return { ok: true };
  }

  /** @returns the fan-out whose running calls are to end, null where it is being cancelled already */
  async cancel(
    tx: Tx,
    levels: readonly LineageLevel[],
    node: string,
  ): Promise<ControlAnswer<{ fanOut: number | null }>> {
    const found = await this.find(tx, levels, node);
    if ('ok' in found) return found;
    if (!found.isOpen) return settledFanOut('cancelled', 'SETTLED');
    if (found.mark === 'cancel') return { ok: true, fanOut: null };
    const { id } = levels[0]!;
    const root = levels.at(-1)!.id;
    await tx.query(putFanOutMark, [id, found.id, root, 'cancel']);
    const { rows } = await tx.query<{ round: number }>(cancelFanOut, [found.id]);
    await tx.query(addCommand, ['cancel', id, root, found.id, rows[0]!.round, null, 0]);
    await this.tell(tx, id, 'fanout_cancelled', found.node, null);
    return { ok: true, fanOut: found.id };
  }

  async patch(tx: Tx, levels: readonly LineageLevel[], node: string, change: FanOutChange): Promise<ControlAnswer> {
    const found = await this.find(tx, levels, node);
    if ('ok' in found) return found;
    const self = levels[0]!;
    // One that failed or was cancelled may run again, and then under what it is given now.
    if (self.state === 'succeeded' && !found.isOpen) return settledFanOut('changed', 'SUCCEEDED');
    if (change.failureTolerance && !(await this.tolerates(tx, self, found)))
      return invalid(
        'REQUEST.INVALID',
        'needs kinds in tolerateChildFailures of its merge; without them no failure is tolerated',
        'failureTolerance',
      );
    await tx.query(patchFanOut, [
      found.id,
      change.maxConcurrency !== undefined,
      change.maxConcurrency ?? null,
      // absent fields fall away, and keep what the definition says
      change.failureTolerance ? JSON.stringify(change.failureTolerance) : null,
      change.priority ?? null,
    ]);
    await this.tell(tx, self.id, 'fanout_resumed', found.node, { changed: change });
    return { ok: true };
  }

  /** Whether its merge tolerates failures of any kind: only then a budget says anything. */
  private async tolerates(tx: Tx, self: LineageLevel, { mergeNode }: Found): Promise<boolean> {
    const merge = mergeNode === null ? null : (await this.planOf(tx, self)).nodes[mergeNode]!.config;
    return merge?.type === 'MERGE' && merge.tolerance.kinds.length > 0;
  }

  private async planOf(tx: Tx, self: LineageLevel): Promise<Plan> {
    const own = self.fanOut ? (await this.facts.of(tx, [self.fanOut.id])).get(self.fanOut.id)! : null;
    return (await this.plans.at(tx, self.versionId, own?.childPath ?? [])).plan;
  }

  /** The newest generation of the fan-out of a spawner, found by its id or that of its merge. */
  private async find(tx: Tx, levels: readonly LineageLevel[], node: string): Promise<Found | ControlRefusal> {
    const self = levels[0]!;
    const plan = await this.planOf(tx, self);
    const { rows } = await tx.query<{ id: number; node: number; merge_node: number | null }>(fanOutsOf, [[self.id]]);
    const row = rows.find((f) => [f.node, f.merge_node].some((n) => n !== null && plan.nodes[n]?.id === node));
    if (!row) return { ok: false, status: 404, code: 'FAN_OUT.NOT_FOUND', detail: `node ${node} has no fan-out` };
    const found = await tx.query<{ open: boolean; mark: Found['mark'] }>(fanOutOpenness, [row.id, levels.at(-1)!.id]);
    return {
      id: row.id,
      node: row.node,
      mergeNode: row.merge_node,
      isOpen: found.rows[0]!.open,
      mark: found.rows[0]!.mark,
    };
  }

  private async tell(tx: Tx, id: string, kind: string, node: number, data: object | null): Promise<void> {
    await tx.query(addFacts, [[id], [kind], [node], [data && JSON.stringify(data)]]);
  }
}

function cancelling(levels: readonly LineageLevel[]): string | null {
  const self = levels[0]!;
  return self.state === 'cancelled' || self.mark === 'cancel' ? self.id : cancelledAbove(levels);
}
