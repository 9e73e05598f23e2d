import { decideFromPart, isLacking, layOut } from '@app/domain';
import type { RecordedNodes } from '@app/contracts/messages/envelopes.js';
import {
  type AtOnceStore,
  type Consequences,
  type Decided,
  type DecisionStore,
  type LoadedExecution,
  type SettledAtOnce,
  type SnapshotStore,
  type Touched,
  type Tx,
} from '@app/persistence';
import type { Random } from '@app/runtime';

/**
 * The four beats for executions: load a snapshot, decide with one pure function, commit the decision's moves. An execution
 * that moved between load and commit is loaded again, this time locked, and decided again: else two upstream tasks that end
 * together would each see the other open and leave the join locked for ever. Of a large one a part is loaded, and more of it
 * where the decision lacks some.
 *
 * The locks of what is loaded again come after the tallies that the first pass moved, against the order of locks. A deadlock that
 * comes of it is resolved by Postgres, and the whole transaction is tried again.
 */
export class DecisionService {
  constructor(
    private readonly snapshots: SnapshotStore,
    private readonly decisions: DecisionStore,
    private readonly atOnce: AtOnceStore,
    private readonly random: Random,
  ) {}

  /** Settles attempts that ended and goes on with what became possible. */
  async progress(tx: Tx, touched: readonly Touched[]): Promise<Consequences> {
    return this.commit(tx, touched, await this.decideAll(tx, await this.snapshots.load(tx, touched)));
  }

  /**
   * The same for one execution inside a transaction, admission of what it makes possible included, where it is simple enough to be
   * committed in one statement.
   */
  async progressOne(tx: Tx, touched: Touched, few: number, window: number): Promise<SettledAtOnce | Consequences> {
    const all = await this.decideAll(tx, await this.snapshots.load(tx, [touched]));
    const [decided] = all;
    const settled = decided && (await this.atOnce.settle(tx, [], decided, few, window));
    if (!settled) return this.commit(tx, [touched], all);
    this.snapshots.remember(touched.id, decided.decision.openFrom);
    return settled;
  }

  /**
   * The same for one top-level execution of which recorded batches tell, in two round trips and without a transaction around them: the
   * guard is the event sequence.
   * @returns null: it is not that simple, or something moved meanwhile; nothing has changed
   */
  async progressAtOnce(
    db: Tx,
    recorded: RecordedNodes,
    batches: readonly number[],
    few: number,
    window: number,
  ): Promise<SettledAtOnce | null> {
    const execution = await this.snapshots.loadAtOnce(db, recorded);
    const decided = execution && (await this.decide(db, execution));
    const settled = decided && (await this.atOnce.settle(db, batches, decided, few, window));
    if (settled) this.snapshots.remember(recorded.id, decided.decision.openFrom);
    return settled;
  }

  /**
   * Lays out one top-level execution that waits in intake, in two round trips as well.
   * @returns null: it is not that simple, or not to be laid out by this caller now; nothing has changed
   */
  async layOutAtOnce(db: Tx, id: string, few: number, window: number): Promise<SettledAtOnce | null> {
    const [decided] = await this.decideAll(db, await this.snapshots.load(db, [{ id, nodes: null }]));
    const settled = decided ? await this.atOnce.settle(db, 'intake', decided, few, window) : null;
    if (settled) this.snapshots.remember(id, decided!.decision.openFrom);
    return settled;
  }

  private async commit(tx: Tx, touched: readonly Touched[], decided: readonly Decided[]): Promise<Consequences> {
    const first = await this.commitOnce(tx, decided);
    if (first.stale.length === 0) return first;
    const again = touched.filter((t) => first.stale.includes(t.id));
    const second = await this.commitOnce(tx, await this.decideAll(tx, await this.snapshots.load(tx, again, true)));
    if (second.stale.length > 0) throw new Error(`a locked execution moved: ${second.stale[0]}`);
    return merge(first, second);
  }

  private async commitOnce(tx: Tx, decided: readonly Decided[]): Promise<Consequences> {
    const consequences = await this.decisions.commit(tx, decided);
    for (const { decision } of decided) this.snapshots.remember(decision.snapshot.id, decision.openFrom);
    return consequences;
  }

  private async decideAll(tx: Tx, loaded: readonly LoadedExecution[]): Promise<Decided[]> {
    const decided: Decided[] = [];
    for (const execution of loaded) {
      const made = await this.decide(tx, execution);
      if (made) decided.push(made);
    }
    return decided;
  }

  /** @returns null where there is nothing to decide */
  async decide(tx: Tx, loaded: LoadedExecution): Promise<Decided | null> {
    const chance = () => this.random.fraction();
    let execution: LoadedExecution | null = loaded;
    for (let round = 1; execution; round++) {
      const { at, snapshot }: LoadedExecution = execution;
      const decision = layOut(at.plan, snapshot, chance) ?? decideFromPart(at.plan, snapshot, chance);
      if (!isLacking(decision)) return decision && { execution, decision };
      execution = await this.snapshots.loadMore(tx, execution, decision.lacks, round);
    }
    return null;
  }
}

function merge(a: Consequences, b: Consequences): Consequences {
  return {
    stale: b.stale,
    settled: [...a.settled, ...b.settled],
    spawning: [...a.spawning, ...b.spawning],
    due: [...new Set([...a.due, ...b.due])],
    queues: [...new Set([...a.queues, ...b.queues])],
    admissible: a.admissible + b.admissible,
    continuing: [...a.continuing, ...b.continuing],
  };
}
