import { smallestWindow } from '@app/domain';

/** Pace is measured over at least this long, so that slots freed together are not taken for a rate. */
const measureMs = 250;
/** More than all slots can take at once, several times over, is a pace at once: short tasks have just begun. */
const burstMs = 20;
/** After this long without a look nothing is known about the pace. */
const forgetMs = 1_500;

/**
 * How much of a queue is handed out at once. Enough that no executor waits for the next admission, and no more: what is
 * handed out cannot be overtaken, so a window of seconds would make a small fan-out wait behind a large one.
 *
 * The window is what the executors take in half a second, measured, and at least two tasks a slot; never above the
 * configured bound.
 */
export class Window {
  private last: { readonly drained: number; readonly ready: number; readonly at: number } | null = null;
  private rate = 0;

  constructor(private readonly bound: number) {}

  /** Other work than before begins: how long its tasks take is not known from the work that went before. */
  restart(): void {
    this.last = null;
  }

  /**
   * @param admitted tasks this queue was ever given
   * @param ready tasks handed out and not claimed
   * @param slots of all live executors of the queue
   * @param nowMs monotonic
   */
  size(admitted: number, ready: number, slots: number, nowMs: number): number {
    const now = { drained: admitted - ready, ready, at: nowMs };
    if (this.last === null || nowMs - this.last.at > forgetMs) {
      this.rate = 0;
      this.last = now;
    } else {
      const elapsed = nowMs - this.last.at;
      const drained = now.drained - this.last.drained;
      if (elapsed >= measureMs || (elapsed >= burstMs && drained >= 4 * slots)) {
        const measured = Math.max(0, (drained * 1000) / elapsed);
        // Slower with work left at both ends: the executors are slower now. Else there was too little to take.
        const believed = measured > this.rate || (ready > 0 && this.last.ready > 0);
        this.rate = believed ? measured : (this.rate + measured) / 2;
        this.last = now;
      }
    }
    return Math.min(this.bound, Math.max(2 * slots, Math.ceil(this.rate / 2), smallestWindow));
  }
}
