import type { RecordedMessage, RecordedNodes } from '@app/contracts/messages/envelopes.js';
import { isTopLevelId } from '@app/domain';
import {
  inTransaction,
  isRefusedData,
  isTransient,
  isUnavailable,
  type Consequences,
  type Database,
  type SettledAtOnce,
  type SettlementStore,
  type Touched,
} from '@app/persistence';
import type { Logger } from '@app/runtime';
import type { DecisionService } from '../deciding/decision.service.js';
import { admittedAtOnce, fewEnough, mostSingle, type FirstTurn } from '../deciding/first-turn.js';
import type { Hints } from '../deciding/hints.js';

const setAsideMs = 10_000;

/**
 * Settlement turns recorded outcomes into settled tasks, armed retries, unlocked nodes and settled executions.
 *
 * Promises. Each recorded outcome is settled exactly once, whoever hears of it how often: its batch row is taken in the
 * transaction that settles (I4, I8). Success and failure take the same way,
 * but for plain successes, whose decision is one statement over a whole batch.
 *
 * Dying between any two lines: before the commit the batch row is still there and the unsettled sweep finds it; after it,
 * only hints are lost.
 */
export class SettlementService {
  constructor(
    private readonly database: Database,
    private readonly store: SettlementStore,
    private readonly decisions: DecisionService,
    private readonly admission: FirstTurn,
    private readonly hints: Hints,
    private readonly logger: Logger,
  ) {}

  /**
   * Settles batches of plain successes, each a child of one node, in one statement: the decision is the same for all of
   * them. What is not as expected there (paused meanwhile, say) goes the general way.
   */
  async settlePlain(batches: readonly number[]): Promise<void> {
    const settled = await inTransaction(this.database.pool, async (tx) => {
      const plain = await this.store.settlePlain(tx, batches);
      return { ...plain, consequences: await this.decisions.progress(tx, plain.rest.map(anywhere)) };
    });
    this.hints.after(settled.consequences);
    if (settled.due.length > 0) this.hints.merging(settled.due);
    this.hints.settled(settled.few);
    this.hints.admission();
  }

  /**
   * Settles the batches that messages tell of. Those of few top-level executions are settled each on its own, in two round trips;
   * what is not as simple as that, or was refused, goes the general way together with all others.
   */
  async settleMessages(messages: readonly RecordedMessage[]): Promise<void> {
    const single = singleExecutions(messages);
    const left = messages.filter((m) => !single.some((s) => s.batches.includes(m.batch))).map((m) => m.batch);
    const settled = await Promise.all(single.map((s) => this.settleAtOnce(s)));
    single.forEach((s, i) => settled[i] || left.push(...s.batches));
    if (left.length > 0) await this.settle(left);
  }

  private async settleAtOnce({ of, batches }: SingleExecution): Promise<boolean> {
    const { any } = this.database;
    const { smallestWindow } = this.admission;
    let settled: SettledAtOnce | null;
    try {
      settled = await this.decisions.progressAtOnce(any, of, batches, fewEnough, smallestWindow);
    } catch (error) {
      // the general way tries again, or finds the row whose data is refused
      if (isUnavailable(error)) throw error;
      return false;
    }
    if (!settled) return false;
    if (settled.handouts.length > 0) await this.admission.handOut(settled.queue!, settled.handouts);
    this.hints.after(settled.consequences);
    return true;
  }

  /** Settles batches; ones that are gone already are no-ops. @returns executions looked at */
  async settle(batches: readonly number[]): Promise<number> {
    try {
      const settled = await inTransaction(this.database.pool, async (tx) => {
        const touched = await this.store.takeRecorded(tx, batches);
        const consequences = await this.decisions.progress(tx, touched);
        const ids = touched.map((t) => t.id);
        const turn = await admittedAtOnce(tx, this.admission, consequences, ids, 'free');
        return { looked: touched.length, topLevel: ids.every(isTopLevelId), turn };
      });
      const { queue, handouts, consequences } = settled.turn;
      if (handouts.length > 0) await this.admission.handOut(queue!, handouts);
      this.hints.after(consequences);
      // what settles in a fan-out makes room in it
      if (!settled.topLevel) this.hints.admission();
      return settled.looked;
    } catch (error) {
      if (isTransient(error)) throw error;
      return this.settleApart(batches);
    }
  }

  /** One row's data was refused, or cannot be decided about: halve until it is alone, so that the others settle. */
  private async settleApart(batches: readonly number[]): Promise<number> {
    const ids = await this.store.recordedIn(this.database.any, batches);
    const failing = await this.settleHalves(ids);
    await this.store.setAside(this.database.any, batches, failing, setAsideMs);
    return ids.length - failing.length;
  }

  /** @returns those that could not be settled */
  private async settleHalves(ids: readonly string[]): Promise<readonly string[]> {
    if (ids.length === 0) return [];
    try {
      await this.settleOnce(ids);
      return [];
    } catch (error) {
      if (isTransient(error)) throw error;
      if (ids.length === 1) return this.settleAlone(ids[0]!, error);
      const half = ids.length >> 1;
      return [...(await this.settleHalves(ids.slice(0, half))), ...(await this.settleHalves(ids.slice(half)))];
    }
  }

  private async settleAlone(id: string, error: unknown): Promise<readonly string[]> {
    if (!isRefusedData(error)) {
      this.logger.error({ err: error, executionId: id }, 'an execution cannot be settled; set aside');
      return [id];
    }
    this.logger.error({ err: error, executionId: id }, 'the database refuses what settles this execution');
    await this.store.refusePayload(this.database.any, id);
    await this.settleOnce([id]);
    return [];
  }

  private async settleOnce(ids: readonly string[]): Promise<void> {
    this.hints.after(
      await inTransaction<Consequences>(this.database.pool, (tx) => this.decisions.progress(tx, ids.map(anywhere))),
    );
  }
}

interface SingleExecution {
  readonly of: RecordedNodes;
  readonly batches: readonly number[];
}

/** Top-level executions that these messages tell of, if they are few. */
function singleExecutions(messages: readonly RecordedMessage[]): readonly SingleExecution[] {
  const byId = new Map<string, { of: RecordedNodes; batches: Set<number> }>();
  for (const { of, batch } of messages) {
    if (!of) continue;
    const known = byId.get(of.id);
    const nodes = new Set([...(known?.of.nodes ?? []), ...of.nodes]);
    const batches = (known?.batches ?? new Set<number>()).add(batch);
    byId.set(of.id, { of: { ...of, nodes: [...nodes] }, batches });
  }
  if (byId.size > mostSingle) return [];
  return [...byId.values()].map(({ of, batches }) => ({ of, batches: [...batches] }));
}

const anywhere = (id: string): Touched => ({ id, nodes: null });
