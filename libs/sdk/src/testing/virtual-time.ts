/** What is due at a virtual moment, in the order of time, and of asking where that is equal. */
export class VirtualTime {
  private readonly due: { readonly at: number; readonly order: number; readonly run: () => void | Promise<void> }[] =
    [];
  private asked = 0;

  /** @param nowMs milliseconds since 1970 */
  constructor(public nowMs: number) {}

  after(delayMs: number, run: () => void | Promise<void>): void {
    this.at(this.nowMs + delayMs, run);
  }

  at(moment: number, run: () => void | Promise<void>): void {
    const entry = { at: Math.max(moment, this.nowMs), order: this.asked++, run };
    let low = 0;
    for (let high = this.due.length; low < high;) {
      const middle = (low + high) >> 1;
      if (this.due[middle]!.at <= entry.at) low = middle + 1;
      else high = middle;
    }
    this.due.splice(low, 0, entry);
  }

  /** Runs what is due until nothing is, or until `isOver`: the clock jumps from one moment to the next. */
  async run(isOver: () => boolean): Promise<void> {
    while (this.due.length > 0 && !isOver()) {
      const next = this.due.shift()!;
      this.nowMs = next.at;
      await next.run();
    }
  }
}
