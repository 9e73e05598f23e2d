import type { PlannedNode } from '@app/domain';
import type { Database, LeaseStore } from '@app/persistence';
import type { Clock } from '@app/runtime';

const knownForMs = 1_000;

/**
 * Whether a hand-out is better left to another executor: this one has not the handler, and a live one of the queue has. Where nobody
 * has it the tasks are claimed all the same, and put back uncharged, so that they take no room from others while they wait.
 */
export class WhoPerforms {
  private readonly others = new Map<string, { readonly serves: boolean; readonly until: number }>();

  constructor(
    private readonly database: Database,
    private readonly leases: LeaseStore,
    private readonly handlers: ReadonlySet<string>,
    private readonly clock: Clock,
  ) {}

  async somebodyElse({ config, queue }: PlannedNode): Promise<boolean> {
    if (config.type !== 'HANDLER' || this.handlers.has(config.handler)) return false;
    const key = JSON.stringify([queue, config.handler]);
    const known = this.others.get(key);
    if (known && known.until > this.clock.monotonic()) return known.serves;
    const serves = await this.leases.handlerServes(this.database.any, queue, config.handler);
    this.others.set(key, { serves, until: this.clock.monotonic() + knownForMs });
    return serves;
  }
}
