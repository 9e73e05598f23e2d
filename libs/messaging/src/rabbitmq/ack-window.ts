/**
 * Turns "this one is done" in any order into few acknowledgements: the broker is told the highest tag below which all
 * are done. Tags of a channel are 1, 2, 3 …, so what is missing is known. Never acknowledges what is still in flight.
 */
export class AckWindow {
  private readonly done = new Set<number>();
  private acknowledged = 0;

  finish(tag: number): void {
    if (tag > this.acknowledged) this.done.add(tag);
  }

  /** How many are done that the broker was not told of. */
  get waiting(): number {
    return this.done.size;
  }

  /** The tag to acknowledge with `multiple`, or undefined if nothing more is contiguous. */
  take(): number | undefined {
    const before = this.acknowledged;
    while (this.done.delete(this.acknowledged + 1)) this.acknowledged += 1;
    return this.acknowledged > before ? this.acknowledged : undefined;
  }
}
