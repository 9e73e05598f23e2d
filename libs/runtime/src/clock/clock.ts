/** Injection token of the process's {@link Clock}. */
export const CLOCK = Symbol('CLOCK');

/**
 * Time as an argument. Wall time is for records that people read, monotonic time for durations;
 * what is compared across processes is the database's clock, never this one.
 */
export interface Clock {
  /** Wall time in milliseconds since the epoch. */
  now(): number;
  /** Milliseconds that only grow; the origin means nothing. */
  monotonic(): number;
}
