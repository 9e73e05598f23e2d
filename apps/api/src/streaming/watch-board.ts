/**
 * Everybody who watches or waits for an execution, on this replica. However many there are, they cost one query per tick
 * for all of them; the settling of an execution rings the board at once, through the bus. No connection is held between
 * ticks, and a lost ring costs one tick.
 */
import type { Database, ExecutionReadingStore, WatchedRow } from '@app/persistence';
import { Loop, type Logger } from '@app/runtime';

export const tickMillis = 250;

export interface Watcher {
  /** Told at each tick what the row says now; null when the execution is gone. */
  seen(row: WatchedRow | null): void;
  /** Told at once that the execution has moved, as the bus says: whoever reads it himself need not wait for a tick. */
  rung?(): void;
}

export class WatchBoard {
  readonly loop: Loop;
  private readonly watchers = new Map<string, Set<Watcher>>();

  constructor(
    private readonly database: Database,
    private readonly executions: ExecutionReadingStore,
    private readonly afterTick: () => Promise<number>,
    tools: { logger: Logger },
  ) {
    this.loop = new Loop({
      name: 'watch',
      intervalMs: tickMillis,
      maxBackoffMs: 2_000,
      runOnce: () => this.tick(),
      logger: tools.logger,
    });
  }

  /** Until the returned function is called. */
  watch(id: string, watcher: Watcher): () => void {
    const own = this.watchers.get(id) ?? new Set();
    this.watchers.set(id, own.add(watcher));
    return () => {
      own.delete(watcher);
      if (own.size === 0 && this.watchers.get(id) === own) this.watchers.delete(id);
    };
  }

  /** An execution has settled somewhere. */
  ring(ids: readonly string[]): void {
    let ticks = false;
    for (const id of ids)
      for (const watcher of this.watchers.get(id) ?? [])
        if (watcher.rung) watcher.rung();
        else ticks = true;
    if (ticks) this.loop.ring();
  }

  private async tick(): Promise<number> {
    if (this.watchers.size === 0) return 0;
    const ids = [...this.watchers.keys()];
    const rows = await this.executions.watched(this.database.byKey, { ids });
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const id of ids) for (const watcher of this.watchers.get(id) ?? []) watcher.seen(byId.get(id) ?? null);
    return this.afterTick();
  }
}
