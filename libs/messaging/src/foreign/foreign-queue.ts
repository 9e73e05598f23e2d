/** A message that somebody else has sent, as it came. */
export interface ForeignMessage {
  readonly body: Buffer;
  /** The sender's own id of it; null where none was given. */
  readonly messageId: string | null;
}

/** A queue of somebody else's. Its name is taken as it is: no namespace is added. */
export interface ForeignBinding {
  readonly queue: string;
  /** Bound to it where given; the exchange must be there. */
  readonly exchange: string | null;
  readonly routingKey: string | null;
  /** Messages that are handed out and not acknowledged. */
  readonly prefetch: number;
}

/**
 * Resolves when the message is done with, and is acknowledged then. It may take as long as it takes: the broker waits, and hands out
 * no more than the prefetch. When the signal is aborted the message goes back to the queue, whatever the handler does.
 */
export type ForeignHandler = (message: ForeignMessage, signal: AbortSignal) => Promise<void>;

export interface ForeignConsumer {
  /** Why it does not consume; null while it does, and before it has tried. */
  readonly trouble: string | null;
  /** What is being handled goes back to the queue. */
  stop(): Promise<void>;
}

/** The way to queues that others publish to. */
export interface ForeignQueues {
  consume(binding: ForeignBinding, handler: ForeignHandler): ForeignConsumer;
}
