import { ABORT_TOPIC, INTAKE_QUEUE, SETTLED_TOPIC } from '@app/contracts/messages/queues.js';
import { isTopLevelId } from '@app/domain';
import type { Bus } from '@app/messaging';
import type { Consequences, ControlEffects } from '@app/persistence';

/** Where in this process a consequence is looked at next. Bound once, when the process is composed. */
export interface Rings {
  /** Names the queues where they are known; else all are looked at. */
  admission(queues?: readonly string[]): void;
  spawning(fanOuts: readonly number[]): void;
  merging(fanOuts: readonly number[]): void;
}

const maxSignalled = 100;

/**
 * Tells who should look, after a commit. All of it is hints: a lost one costs at most a sweep interval.
 */
export class Hints {
  private rings: Rings = { admission: () => {}, spawning: () => {}, merging: () => {} };

  constructor(private readonly bus: Bus) {}

  bind(rings: Rings): void {
    this.rings = rings;
  }

  after(consequences: Omit<Consequences, 'stale'>): void {
    if (consequences.queues.length > 0) this.rings.admission(consequences.queues);
    if (consequences.spawning.length > 0) this.rings.spawning(consequences.spawning);
    if (consequences.due.length > 0) this.rings.merging(consequences.due);
    this.intake(consequences.continuing);
    this.settled(consequences.settled);
  }

  admission(): void {
    this.rings.admission();
  }

  spawning(fanOuts: readonly number[]): void {
    this.rings.spawning(fanOuts);
  }

  merging(fanOuts: readonly number[]): void {
    this.rings.merging(fanOuts);
  }

  /** Children of a large batch are not worth a signal: whoever watches them looks again by himself. */
  settled(ids: readonly string[]): void {
    if (ids.length === 0) return;
    const told = ids.length <= maxSignalled ? ids : ids.filter(isTopLevelId).slice(0, maxSignalled);
    if (told.length > 0) void this.bus.signal(SETTLED_TOPIC, { ids: told }).catch(() => undefined);
  }

  /** What a control move of ours set in motion: running calls below it are to end, and whoever watches it looks. */
  controlled({ abort }: ControlEffects): void {
    const ids = abort.ids ?? abort.roots ?? [];
    if (ids.length === 0) return;
    void this.bus.signal(ABORT_TOPIC, abort).catch(() => undefined);
    this.settled(ids);
    this.admission();
  }

  /** Claims that are over: whoever makes their calls ends them. */
  aborting(claims: readonly string[]): void {
    void this.bus.signal(ABORT_TOPIC, { claims }).catch(() => undefined);
  }

  intake(ids: readonly string[]): void {
    for (let i = 0; i < ids.length; i += 100)
      void this.bus.publish(INTAKE_QUEUE, [{ ids: ids.slice(i, i + 100) }]).catch(() => undefined);
  }
}
