const FIRST_MS = 100;
const MOST_MS = 2_000;

/** The rest before the next try to get something back: 100 ms, doubling up to 2 s. */
export class Backoff {
  private failures = 0;

  next(): number {
    const delayMs = Math.min(MOST_MS, FIRST_MS * 2 ** Math.min(this.failures, 10));
    this.failures += 1;
    return delayMs;
  }

  reset(): void {
    this.failures = 0;
  }
}
