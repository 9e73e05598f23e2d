import type { Clock } from './clock.js';

/** A clock that stands still until it is told to move, for tests of anything that waits. */
export class ManualClock implements Clock {
  constructor(private at = 0) {}

  now(): number {
    return this.at;
  }

  monotonic(): number {
    return this.at;
  }

  /** Moves both clocks forward by `byMs`. */
  advance(byMs: number): void {
    this.at += byMs;
  }
}
