import { decideRollout, type RolloutStage } from '@app/domain';
import type { DueFanOut, LoadedExecution, MergeStore, Tx } from '@app/persistence';

/** What became of a fan-out's rollout in this turn, to be told among its parent's events. */
export interface StageChange {
  readonly fanOut: DueFanOut;
  readonly kind: 'fanout_deferred' | 'fanout_resumed';
  readonly data: string;
  readonly stops: boolean;
}

/**
 * Moves a due fan-out through its stages: the decision is pure, the caller has the fan-out's control row. Only what is
 * released is handed out, so nothing more is needed for the children to begin or to wait.
 */
export async function moveStages(
  tx: Tx,
  store: MergeStore,
  parent: LoadedExecution,
  f: DueFanOut,
): Promise<StageChange | null> {
  const stages = stagesOf(parent, f);
  if (!stages || f.released === null) return null;
  const progress = {
    stage: f.stage,
    hold: f.stageHold,
    released: f.released,
    total: f.total ?? (f.sealed ? f.spawned : null),
    spawned: f.spawned,
  };
  let decision = decideRollout(stages, progress, null);
  if (decision.kind === 'count') decision = decideRollout(stages, progress, await store.releasedCounts(tx, f));
  const told = (kind: StageChange['kind'], facts: object, stops = false): StageChange => ({
    fanOut: f,
    kind,
    data: JSON.stringify({ generation: f.generation, stages: stages.length, ...facts }),
    stops,
  });
  switch (decision.kind) {
    case 'release': {
      await store.moveStage(tx, f, { stage: decision.stage, released: decision.released, hold: null });
      return told('fanout_resumed', { reason: 'ROLLOUT_STAGE', stage: decision.stage + 1 });
    }
    case 'ask':
      await store.moveStage(tx, f, { stage: f.stage, released: f.released, hold: 'approval' });
      await store.approveEarly(tx, f, parent.at.plan.nodes[f.node]!.id);
      return told('fanout_deferred', { reason: 'ROLLOUT_APPROVAL', stage: f.stage + (f.released > 0 ? 2 : 1) });
    case 'stop': {
      await store.moveStage(tx, f, { stage: f.stage, released: f.released, hold: 'stopped' });
      const { failed, released, allowed } = decision;
      return told(
        'fanout_deferred',
        { reason: 'ROLLOUT_STOPPED', stage: f.stage + 1, failed, released, allowed },
        true,
      );
    }
    default:
      return null;
  }
}

function stagesOf(parent: LoadedExecution, f: DueFanOut): readonly RolloutStage[] | null {
  const { config } = parent.at.plan.nodes[f.node]!;
  return config.type === 'SPAWNER' ? config.rollout : null;
}
