import {
  inTransaction,
  isUnavailable,
  type Database,
  type IntakeStore,
  type SettledAtOnce,
  type Touched,
  type Tx,
} from '@app/persistence';
import { isTopLevelId } from '@app/domain';
import type { DecisionService } from '../deciding/decision.service.js';
import { admittedAtOnce, fewEnough, mostSingle, type AtOnce, type FirstTurn } from '../deciding/first-turn.js';
import type { Hints } from '../deciding/hints.js';

/**
 * Intake lays out executions: their first tasks are born and go to admission, or begin at once where the orchestrator runs
 * them. What waits to be laid out is a row of `intake`, taken in the same transaction, so that an execution is laid out
 * once however often it is announced (I8). A large execution goes on the same way where one decision had enough of it. Nothing whose lineage is marked is laid out; its row stays for later.
 */
export class IntakeService {
  constructor(
    private readonly database: Database,
    private readonly store: IntakeStore,
    private readonly decisions: DecisionService,
    private readonly admission: FirstTurn,
    private readonly hints: Hints,
  ) {}

  /** Few top-level executions are laid out each on its own, in two round trips; what is not as simple as that goes the general way. */
  async layOut(ids: readonly string[]): Promise<number> {
    if (ids.length > mostSingle || !ids.every(isTopLevelId)) return this.layOutTogether(ids);
    const done = await Promise.all(ids.map((id) => this.layOutAtOnce(id)));
    const left = ids.filter((_, i) => !done[i]);
    return ids.length - left.length + (await this.layOutTogether(left));
  }

  private async layOutAtOnce(id: string): Promise<boolean> {
    const { smallestWindow } = this.admission;
    let begun: SettledAtOnce | null;
    try {
      begun = await this.decisions.layOutAtOnce(this.database.any, id, fewEnough, smallestWindow);
    } catch (error) {
      // the general way tries again
      if (isUnavailable(error)) throw error;
      return false;
    }
    if (!begun) return false;
    await this.tell(begun);
    return true;
  }

  private async tell({ queue, handouts, consequences }: AtOnce): Promise<void> {
    if (handouts.length > 0) await this.admission.handOut(queue!, handouts);
    this.hints.after(consequences);
  }

  private async layOutTogether(ids: readonly string[]): Promise<number> {
    const roots = ids.every(isTopLevelId) ? ids : await this.store.rootsOf(this.database.any, ids);
    if (roots.length === 0) return 0;
    const done = await inTransaction(
      this.database.pool,
      async (tx) => {
        const taken = await this.store.take(tx, ids);
        return { taken: taken.length, turn: await this.begin(tx, taken) };
      },
      { gate: { roots, mode: 'shared' } },
    );
    await this.tell(done.turn);
    return done.taken;
  }

  private async begin(tx: Tx, taken: readonly Touched[]): Promise<AtOnce> {
    const { smallestWindow } = this.admission;
    const begun =
      taken.length === 1 && isTopLevelId(taken[0]!.id)
        ? await this.decisions.progressOne(tx, taken[0]!, fewEnough, smallestWindow)
        : await this.decisions.progress(tx, taken);
    if ('handouts' in begun) return begun;
    const ids = taken.map((t) => t.id);
    return admittedAtOnce(tx, this.admission, begun, ids, 'held');
  }

  /** Lays out what was announced in vain. @returns executions laid out */
  async sweep(ageMs: number): Promise<number> {
    const ids = await this.store.waiting(this.database.any, ageMs, 500);
    return ids.length === 0 ? 0 : this.layOut(ids);
  }
}
