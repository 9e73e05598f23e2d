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
  private lastDrained: number | null = null;
  private lastAt = 0;
  private rate = 0;

  constructor(private readonly bound: number) {}

  /**
   * @param admitted tasks this queue was ever given
   * @param ready tasks handed out and not claimed
   * @param slots of all live executors of the queue
   * @param nowMs monotonic
   */
  size(admitted: number, ready: number, slots: number, nowMs: number): number {
    const drained = admitted - ready;
    const elapsed = nowMs - this.lastAt;
    if (this.lastDrained === null || elapsed > forgetMs) {
      this.rate = 0;
      this.lastDrained = drained;
      this.lastAt = nowMs;
    } else if (elapsed >= measureMs || (elapsed >= burstMs && drained - this.lastDrained >= 4 * slots)) {
      const measured = Math.max(0, ((drained - this.lastDrained) * 1000) / elapsed);
      this.rate = measured > this.rate ? measured : (this.rate + measured) / 2;
      this.lastDrained = drained;
      this.lastAt = nowMs;
    }
    return Math.min(this.bound, Math.max(2 * slots, Math.ceil(this.rate / 2), 20));
  }
}
