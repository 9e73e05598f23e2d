import { decideRollout, type RolloutStage } from '@app/domain';
import type { DueFanOut, LoadedExecution, MergeStore, StagePlace, Tx } from '@app/persistence';

/** What became of a fan-out's rollout in this turn, to be told among its parent's events. */
export interface StageChange {
  readonly fanOut: DueFanOut;
  readonly kind: 'fanout_deferred' | 'fanout_resumed';
  readonly data: string;
  readonly stops: boolean;
}

/**
 * Moves a due fan-out through its stages, as far as what is released has settled: children of a later stage may have ended before
 * their stage began, and nothing of it would settle any more to be a reason for another look. The decision is pure, the caller
 * has the fan-out's control row. Only what is released is handed out, so nothing more is needed for the children to begin or to
 * wait.
 * @returns what became of it, in order; empty where it waits
 */
export async function moveStages(
  tx: Tx,
  store: MergeStore,
  parent: LoadedExecution,
  f: DueFanOut,
): Promise<StageChange[]> {
  const stages = stagesOf(parent, f);
  const changes: StageChange[] = [];
  if (!stages || f.released === null) return changes;
  let at: StagePlace = { stage: f.stage, hold: f.stageHold, released: f.released };
  const move = (to: StagePlace, failed: number | null = null) => {
    at = to;
    return store.moveStage(tx, f, to, failed);
  };
  const tell = (kind: StageChange['kind'], facts: object, stops = false) => {
    const data = JSON.stringify({ generation: f.generation, stages: stages.length, ...facts });
    changes.push({ fanOut: f, kind, data, stops });
  };
  for (;;) {
    const progress = { ...at, total: f.total ?? (f.sealed ? f.spawned : null), spawned: f.spawned };
    let decision = decideRollout(stages, progress, null);
    if (decision.kind === 'count')
      decision = decideRollout(stages, progress, await store.releasedCounts(tx, f, at.released));
    switch (decision.kind) {
      case 'release':
        await move({ stage: decision.stage, released: decision.released, hold: null });
        tell('fanout_resumed', { reason: 'ROLLOUT_STAGE', stage: decision.stage + 1 });
        continue;
      case 'ask':
        tell('fanout_deferred', { reason: 'ROLLOUT_APPROVAL', stage: at.stage + (at.released > 0 ? 2 : 1) });
        await move({ ...at, hold: 'approval' });
        await store.approveEarly(tx, f, parent.at.plan.nodes[f.node]!.id);
        return changes;
      case 'stop': {
        const { failed, released, allowed } = decision;
        tell('fanout_deferred', { reason: 'ROLLOUT_STOPPED', stage: at.stage + 1, failed, released, allowed }, true);
        await move({ ...at, hold: 'stopped' }, failed);
        return changes;
      }
      default:
        return changes;
    }
  }
}

function stagesOf(parent: LoadedExecution, f: DueFanOut): readonly RolloutStage[] | null {
  const { config } = parent.at.plan.nodes[f.node]!;
  return config.type === 'SPAWNER' ? config.rollout : null;
}
