/** Places for tasks: slots that perform, and a small buffer so that no slot waits for the next claim. */
export class Room {
  private taken = 0;

  constructor(readonly slots: number) {}

  /** Places left; may be negative after a claim brought more than was asked for. */
  get free(): number {
    return Math.ceil(this.slots * 1.2) - this.taken;
  }

  get used(): number {
    return this.taken;
  }

  take(count: number): void {
    this.taken += count;
  }

  give(count: number): void {
    this.taken -= count;
  }
}
