/**
 * When a destination is in such trouble that calling it only makes failures of it: twenty failing calls in a row, or at least
 * half of the last thirty seconds' calls where these were forty or more. Failing are network errors, time-outs and 5xx; an answer
 * that asks for time, or that refuses the request, is an answer.
 *
 * Then the breaker opens: nothing is called for a second, then one probe is; if that fails too, for two seconds, and so on up to
 * a minute. A success closes it, and the destination starts again at one call.
 */
export const breakerOpensForMs = { first: 1_000, most: 60_000 } as const;

const inARow = 20;
const windowSeconds = 30;
const fewest = 40;

/** The latest calls of one destination, as one executor saw them. Time is an argument. */
export class Troubles {
  private row = 0;
  private readonly good = new Int32Array(windowSeconds);
  private readonly bad = new Int32Array(windowSeconds);
  private second = Number.NEGATIVE_INFINITY;

  /** @returns whether that is too much now */
  note(isFailing: boolean, nowMs: number): boolean {
    this.turnTo(Math.floor(nowMs / 1_000));
    const cell = this.second % windowSeconds;
    if (!isFailing) {
      this.row = 0;
      this.good[cell]!++;
      return false;
    }
    this.row++;
    this.bad[cell]!++;
    if (this.row >= inARow) return true;
    const bad = total(this.bad);
    return bad * 2 >= bad + total(this.good) && bad + total(this.good) >= fewest;
  }

  forget(): void {
    this.row = 0;
    this.good.fill(0);
    this.bad.fill(0);
  }

  private turnTo(second: number): void {
    const passed = second - this.second;
    if (passed <= 0) return;
    for (let i = 0; i < Math.min(passed, windowSeconds); i++) {
      this.good[(second - i) % windowSeconds] = 0;
      this.bad[(second - i) % windowSeconds] = 0;
    }
    this.second = second;
  }
}

function total(cells: Int32Array): number {
  return cells.reduce((sum, n) => sum + n, 0);
}
