import { destinationsOf, type Database, type LeaseStore } from '@app/persistence';
import { sleep, type Logger } from '@app/runtime';
import type { ClaimedTask } from './claimed-task.js';
import type { RunningService } from './running.service.js';

/** The answer of a claim that was committed before the pause may come after its signal, so that a second look is worth it. */
const lookAgainMs = 500;

/**
 * A pause reaches what this executor has claimed and not begun: it is handed back, uncharged. What has begun goes on. Which
 * executions are held the database says, as something nearer than the pause may have been released.
 */
export class Pauses {
  constructor(
    private readonly database: Database,
    private readonly store: LeaseStore,
    private readonly running: Pick<RunningService, 'unbegun' | 'handBack'>,
    private readonly logger: Logger,
  ) {}

  /**
   * @param roots of executions or fan-outs that were paused
   * @param destinations names of those that were paused, `host:…` for the host of one
   */
  async heard(roots: readonly string[], destinations: readonly string[]): Promise<void> {
    for (const restMs of [0, lookAgainMs]) {
      if (restMs > 0) await sleep(restMs);
      if (destinations.length > 0)
        this.running.handBack((t) => destinationsOf(t.at, t.node).some((name) => destinations.includes(name)));
      await this.below(roots).catch((error: unknown) =>
        this.logger.warn({ err: error }, 'what a pause holds could not be asked for'),
      );
    }
  }

  private async below(roots: readonly string[]): Promise<void> {
    const unbegun = this.running.unbegun.filter((t: ClaimedTask) => roots.includes(t.rootId));
    if (unbegun.length === 0) return;
    const ids = [...new Set(unbegun.map((t) => t.executionId))];
    const paused = await this.store.pausedAmong(this.database.any, ids);
    if (paused.size > 0) this.running.handBack((t) => paused.has(t.executionId));
  }
}
