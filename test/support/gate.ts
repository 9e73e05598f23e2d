/** Holds whoever waits at it until it is opened. */
export class Gate {
  private readonly waiting: (() => void)[] = [];
  private isOpen = false;

  get held(): number {
    return this.waiting.length;
  }

  async pass(): Promise<void> {
    if (this.isOpen) return;
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** Lets everybody through, now and from now on. */
  open(): void {
    this.isOpen = true;
    for (const go of this.waiting.splice(0)) go();
  }
}
