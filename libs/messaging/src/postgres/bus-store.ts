/** Channel on which a publish rings: its payload is the logical name of the queue. */
export const DOORBELL = 'doorbell';

/** Logical channel of a signal topic. */
export const signalChannel = (topic: string): string => `signal_${topic}`;

/**
 * What the Postgres bus needs of a database. Queue and channel names are logical (at most 150 characters): the store
 * keeps them apart by namespace, by its schema for queues and by a prefix for channels, which Postgres shares across the
 * whole database (and cuts at 63 bytes, so a longer channel must be hashed).
 */
export interface BusStore {
  /** Inserts one row for each body and rings {@link DOORBELL} with the queue's name, in one statement. At most 1,000. */
  publish(queue: string, bodies: readonly string[]): Promise<void>;
  /**
   * Takes up to `limit` messages, oldest first: deletes what it locks, skips what others hold. One round trip.
   * What is taken and then lost with the process is repaired by the sweeps.
   */
  take(queue: string, limit: number): Promise<string[]>;
  /** Messages waiting. May stop counting at 100,000. */
  depth(queue: string): Promise<number>;
  /** Keeps the newest `keep` messages of a queue and deletes the rest. */
  trim(queue: string, keep: number): Promise<void>;
  notify(channel: string, payload: string): Promise<void>;
  /**
   * Calls back for every notification on a channel, over one dedicated connection for all channels. That connection
   * reconnects by itself, listens again, and is asked something every few seconds, so that a dead one is noticed.
   * Resolves when listening has begun, or at once while the database is away.
   */
  listen(channel: string, callback: (payload: string) => void): Promise<() => Promise<void>>;
  /** Whether the listening connection is there and answers. */
  readonly state: 'up' | 'down';
  /** Ends the listening connection. */
  close(): Promise<void>;
}
