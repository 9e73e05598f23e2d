/** Tasks shorter than this are taken ahead of time, as many as the slots perform within `aheadMs`. */
const shortMs = 25;
const aheadMs = 50;
const mostAhead = 8;
const soonMs = 1_000;

/**
 * Places for tasks: slots that perform, and a buffer so that no slot waits for the next claim. The buffer is a fifth of
 * the slots; for tasks that are shorter than a claim takes, it is what the slots perform in 50 ms, so that claims overlap.
 */
export class Room {
  private taken = 0;
  private meanMs = shortMs;
  /** Long ones not cut short. */
  private meanOfAllMs = soonMs;
  private readonly waiters = new Set<{ enough: number; resolve: () => void }>();

  constructor(readonly slots: number) {}

  /** Places left; may be negative after tasks became longer. */
  get free(): number {
    return this.size - this.taken;
  }

  /** Places whose task begins at once, or as good as that. */
  get prompt(): number {
    return this.meanMs < shortMs ? this.free : this.slots - this.taken;
  }

  /**
   * Places besides that are kept for executions that run little: what the slots take up within a second, but for a fifth of them; never
   * more than there are slots, as a claimed task's time runs while it waits for one.
   */
  get reserve(): number {
    const soon = Math.floor((this.slots * soonMs) / Math.max(1, this.meanOfAllMs));
    return Math.min(this.slots, Math.max(Math.ceil(this.slots / 5), soon)) + Math.min(0, this.free);
  }

  get used(): number {
    return this.taken;
  }

  private get size(): number {
    const ahead = this.meanMs >= shortMs ? 0.2 : Math.min(mostAhead, aheadMs / Math.max(1, this.meanMs));
    return Math.ceil(this.slots * (1 + ahead));
  }

  /** A task was performed in so many milliseconds. */
  performed(ms: number): void {
    this.meanMs += (Math.min(ms, 10 * shortMs) - this.meanMs) / 50;
    this.meanOfAllMs += (ms - this.meanOfAllMs) / 50;
  }

  /** Resolves when there are `wanted` places, or as many as there can be, or the time is over. */
  async until(wanted: number, withinMs: number): Promise<void> {
    const enough = Math.min(wanted, this.size);
    if (this.free >= enough) return;
    await new Promise<void>((resolve) => {
      const waiter = { enough, resolve };
      const timer = setTimeout(() => {
        this.waiters.delete(waiter);
        resolve();
      }, withinMs);
      waiter.resolve = () => {
        clearTimeout(timer);
        resolve();
      };
      this.waiters.add(waiter);
    });
  }

  take(count: number): void {
    this.taken += count;
  }

  give(count: number): void {
    this.taken -= count;
    for (const waiter of this.waiters) {
      if (this.free < waiter.enough) break;
      this.waiters.delete(waiter);
      waiter.resolve();
      break;
    }
  }
}
