import type { Clock } from './clock.js';

/** The machine's clocks: the one place that reads them. */
export class SystemClock implements Clock {
  now(): number {
    return Date.now();
  }

  monotonic(): number {
    return performance.now();
  }
}
