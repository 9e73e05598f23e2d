/** Places for tasks: slots that perform, and a small buffer so that no slot waits for the next claim. */
export class Room {
  private taken = 0;
  private readonly waiters = new Set<{ enough: number; resolve: () => void }>();

  constructor(readonly slots: number) {}

  /** Places left; may be negative after a claim brought more than was asked for. */
  get free(): number {
    return Math.ceil(this.slots * 1.2) - this.taken;
  }

  get used(): number {
    return this.taken;
  }

  /** Resolves when there are `wanted` places, or as many as there can be, or the time is over. */
  async until(wanted: number, withinMs: number): Promise<void> {
    const enough = Math.min(wanted, Math.ceil(this.slots * 1.2));
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
