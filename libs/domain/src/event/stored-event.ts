/**
 * Events as they are stored. One stored row may stand for several *consecutive* facts of one execution ("the attempt
 * ended, so the node succeeded, so the execution succeeded"): the facts keep a number each, the row carries the first
 * one's, and readers expand it. A child that succeeds at once so leaves four rows and seven facts.
 */
export const eventTypes = [
  'execution.created',
  'execution.ready',
  'execution.started',
  'execution.paused',
  'execution.resumed',
  'execution.succeeded',
  'execution.failed',
  'execution.cancelled',
  'execution.reopened',
  'node.succeeded',
  'node.failed',
  'node.skipped',
  'node.retrying',
  'attempt.started',
  'attempt.ended',
  'fanout.planned',
  'fanout.sealed',
  'fanout.deferred',
  'fanout.resumed',
  'fanout.cancelled',
  'fanout.verdict',
  'fanout.reopened',
  'child.retried',
  'signal.received',
  'write.rejected',
] as const;
export type EventType = (typeof eventTypes)[number];

/** Stored kind → the facts it stands for, in order. The database's `event_kind` enumeration is made from the keys. */
export const storedEvents = {
  created: ['execution.created'],
  ready: ['execution.ready'],
  started: ['execution.started', 'attempt.started'],
  opened: ['execution.ready', 'execution.started'],
  execution_started: ['execution.started'],
  attempt_started: ['attempt.started'],
  attempt_ended: ['attempt.ended'],
  retrying: ['attempt.ended', 'node.retrying'],
  attempt_succeeded: ['attempt.ended', 'node.succeeded'],
  attempt_failed: ['attempt.ended', 'node.failed'],
  all_succeeded: ['attempt.ended', 'node.succeeded', 'execution.succeeded'],
  all_failed: ['attempt.ended', 'node.failed', 'execution.failed'],
  node_succeeded: ['node.succeeded'],
  node_failed: ['node.failed'],
  node_skipped: ['node.skipped'],
  paused: ['execution.paused'],
  resumed: ['execution.resumed'],
  released: ['execution.resumed'],
  succeeded: ['execution.succeeded'],
  failed: ['execution.failed'],
  cancelled: ['execution.cancelled'],
  reopened: ['execution.reopened'],
  reopened_running: ['execution.reopened', 'execution.ready', 'execution.started'],
  fanout_planned: ['fanout.planned'],
  fanout_sealed: ['fanout.sealed'],
  fanout_deferred: ['fanout.deferred'],
  fanout_resumed: ['fanout.resumed'],
  fanout_cancelled: ['fanout.cancelled'],
  fanout_verdict: ['fanout.verdict'],
  fanout_reopened: ['fanout.reopened'],
  child_retried: ['child.retried'],
  signal_received: ['signal.received'],
  write_rejected: ['write.rejected'],
} as const satisfies Record<string, readonly EventType[]>;
export type StoredEventKind = keyof typeof storedEvents;

/** How many event numbers a stored row takes. */
export function eventSpan(kind: StoredEventKind): number {
  return storedEvents[kind].length;
}
