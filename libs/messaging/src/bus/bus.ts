/** Injection token of the process's {@link Bus}. */
export const BUS = Symbol('BUS');

/** `blocked`: connected, but the broker accepts nothing for now. */
export type BusState = 'up' | 'down' | 'blocked';

/**
 * The door to the other processes. What goes through it are hints: ids, never data. Any of them may be lost, doubled,
 * delayed or reordered; the rows are the truth and the sweeps repair. Queue names and topics are logical: the namespace
 * is added inside, so two namespaces never meet.
 */
export interface Bus {
  /**
   * One message for each payload. Resolves when the bus has taken responsibility for all of them.
   *
   * @throws BusUnavailable within seconds when the bus is away, blocked or too slow; then any part may have been sent
   */
  publish(queue: string, messages: readonly object[]): Promise<void>;
  /** Messages waiting in a queue, not counting those handed to a consumer; null if unknown. Never throws. */
  depth(queue: string): Promise<number | null>;
  /**
   * Tells every process that subscribes to the topic right now.
   *
   * @throws BusUnavailable as `publish`, and `SignalTooLarge` above {@link SIGNAL_LIMIT_BYTES} of JSON
   */
  signal(topic: string, payload: object): Promise<void>;
  /** Calls the listener for every signal of a topic until the returned function is called. Survives outages. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a signal is whatever its topic says
  subscribe(topic: string, listener: (payload: any) => void): Promise<() => Promise<void>>;
  readonly state: BusState;
  /** Ends what is in flight and closes the connections. */
  close(): Promise<void>;
}

/** What fits in a notification of Postgres, with room for its envelope; the same for both buses. */
export const SIGNAL_LIMIT_BYTES = 7_500;
