/** One queue being consumed. Started, poked and drained the same way over either bus. */
export interface QueueConsumer {
  start(): void;
  /** Looks again whether there is capacity, and takes messages if so. */
  poke(): void;
  /** Takes nothing new; resolves when the handler calls in flight have ended and are acknowledged. */
  drain(): Promise<void>;
  /** It takes messages while there is capacity; false while what it needs of the bus is not there or does not answer. */
  readonly established: boolean;
}

/** Free room for the messages of a queue, in any unit: at 0 or less nothing is taken. */
export type Capacity = () => number;
