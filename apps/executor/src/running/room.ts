/** Tasks shorter than this are taken ahead of time, as many as the slots perform within `aheadMs`. */
const shortMs = 25;
const aheadMs = 50;
/** So few slots perform little within that time, and a claim costs as much for one task as for ten. */
const fewSlots = 8;
const aheadOfFewMs = 150;
/** Splitting a hand-out costs a claim and a message, so short tasks are waited for; long ones are not. */
const roomWaitMs = 50;
const roomWaitOfFewMs = 100;
const mostAhead = 8;
const soonMs = 1_000;

/**
 * Places for tasks: slots that perform, and a buffer so that no slot waits for the next claim. The buffer is a fifth of
 * the slots; for tasks that are shorter than a claim takes, it is what the slots perform in 50 ms, so that claims overlap. Where
 * slots are few it is what they perform in 150 ms, so that a claim is of several short tasks.
 */
export class Room {
  private taken = 0;
  /** What is not known yet is not short. */
  private meanMs: number;
  /** Long ones not cut short. */
  private meanOfAllMs = soonMs;
  private readonly waiters = new Set<{ wanted: number; enough: number; resolve: () => void }>();

  constructor(readonly slots: number) {
    this.meanMs = slots <= fewSlots ? aheadOfFewMs : shortMs;
  }

  /** Places left; may be negative after tasks became longer. */
  get free(): number {
    return this.size - this.taken;
  }

  /** Places whose task begins at once, or as good as that. */
  get prompt(): number {
    return this.meanMs < shortMs ? this.free : this.slots - this.taken;
  }

  /** Few slots and short tasks: what is claimed together costs as much as one alone. */
  private get isFewAndShort(): boolean {
    return this.slots <= fewSlots && this.meanMs < aheadOfFewMs;
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
    const [short, within] = this.slots <= fewSlots ? [aheadOfFewMs, aheadOfFewMs] : [shortMs, aheadMs];
    const ahead = this.meanMs >= short ? 0.2 : Math.min(mostAhead, within / Math.max(1, this.meanMs));
    return Math.ceil(this.slots * (1 + ahead));
  }

  /** A task was performed in so many milliseconds. */
  performed(ms: number): void {
    this.meanMs += (Math.min(ms, 10 * shortMs) - this.meanMs) / 50;
    this.meanOfAllMs += (ms - this.meanOfAllMs) / 50;
  }

  /**
   * Resolves when there are `wanted` places, or as many as there can be, or when that has taken too long. Where slots are few and tasks
   * short it is half of all places at least, so that hand-outs are claimed together.
   */
  async until(wanted: number): Promise<void> {
    const together = this.isFewAndShort;
    const enough = Math.min(this.size, together ? Math.max(wanted, Math.ceil(this.size / 2)) : wanted);
    if (this.free >= enough) return;
    await new Promise<void>((resolve) => {
      const waiter = { wanted, enough, resolve };
      const timer = setTimeout(
        () => {
          this.waiters.delete(waiter);
          resolve();
        },
        together ? roomWaitOfFewMs : roomWaitMs,
      );
      waiter.resolve = () => {
        this.waiters.delete(waiter);
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
    let left = this.free;
    let released = 0;
    for (const { wanted, enough, resolve } of this.waiters) {
      if (left < (released === 0 ? enough : wanted) || (released > 0 && !this.isFewAndShort)) break;
      left -= wanted;
      released++;
      resolve();
    }
  }
}
