import { decideProgress, layOut } from '@app/domain';
import {
  type Consequences,
  type Decided,
  type DecisionStore,
  type LoadedExecution,
  type SnapshotStore,
  type Tx,
} from '@app/persistence';
import type { Random } from '@app/runtime';

/**
 * The four beats for executions: load a snapshot, decide with one pure function, commit the decision's moves. An execution
 * that moved between load and commit is loaded again, this time locked, and decided again: else two upstream tasks that end
 * together would each see the other open and leave the join locked for ever.
 */
export class DecisionService {
  constructor(
    private readonly snapshots: SnapshotStore,
    private readonly decisions: DecisionStore,
    private readonly random: Random,
  ) {}

  /** Settles attempts that ended and goes on with what became possible. */
  progress(tx: Tx, ids: readonly string[]): Promise<Consequences> {
    return this.run(tx, ids);
  }

  private async run(tx: Tx, ids: readonly string[]): Promise<Consequences> {
    const first = await this.decideAndCommit(tx, await this.snapshots.load(tx, ids));
    if (first.stale.length === 0) return first;
    const second = await this.decideAndCommit(tx, await this.snapshots.load(tx, first.stale, true));
    if (second.stale.length > 0) throw new Error(`a locked execution moved: ${second.stale[0]}`);
    return merge(first, second);
  }

  private decideAndCommit(tx: Tx, loaded: readonly LoadedExecution[]): Promise<Consequences> {
    const decided: Decided[] = [];
    for (const execution of loaded) {
      const decision = this.decide(execution);
      if (decision) decided.push({ execution, decision });
    }
    return this.decisions.commit(tx, decided);
  }

  decide(execution: LoadedExecution): Decided['decision'] | null {
    const { at, snapshot } = execution;
    const chance = () => this.random.fraction();
    return layOut(at.plan, snapshot, chance) ?? decideProgress(at.plan, snapshot, chance);
  }
}

function merge(a: Consequences, b: Consequences): Consequences {
  return {
    stale: b.stale,
    settled: [...a.settled, ...b.settled],
    spawning: [...a.spawning, ...b.spawning],
    due: [...new Set([...a.due, ...b.due])],
    queues: [...new Set([...a.queues, ...b.queues])],
  };
}
