import { decideFromPart, isLacking, layOut } from '@app/domain';
import {
  type Consequences,
  type Decided,
  type DecisionStore,
  type LoadedExecution,
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
    private readonly random: Random,
  ) {}

  /** Settles attempts that ended and goes on with what became possible. */
  async progress(tx: Tx, touched: readonly Touched[]): Promise<Consequences> {
    const first = await this.decideAndCommit(tx, await this.snapshots.load(tx, touched));
    if (first.stale.length === 0) return first;
    const again = touched.filter((t) => first.stale.includes(t.id));
    const second = await this.decideAndCommit(tx, await this.snapshots.load(tx, again, true));
    if (second.stale.length > 0) throw new Error(`a locked execution moved: ${second.stale[0]}`);
    return merge(first, second);
  }

  private async decideAndCommit(tx: Tx, loaded: readonly LoadedExecution[]): Promise<Consequences> {
    const decided: Decided[] = [];
    for (const execution of loaded) {
      const made = await this.decide(tx, execution);
      if (made) decided.push(made);
    }
    const consequences = await this.decisions.commit(tx, decided);
    for (const { decision } of decided) this.snapshots.remember(decision.snapshot.id, decision.openFrom);
    return consequences;
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
