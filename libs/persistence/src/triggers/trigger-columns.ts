/** What a trigger says. */
export interface TriggerTerms {
  readonly pipeline: string;
  /** Null: the newest at each start. */
  readonly version: number | null;
  readonly queue: string;
  readonly exchange: string | null;
  readonly routingKey: string | null;
  /** Exact JSON text of an object. */
  readonly labels: string | null;
  readonly priority: number;
  readonly enabled: boolean;
}

/** A trigger and how it goes. */
export interface TriggerRow extends TriggerTerms {
  readonly id: number;
  readonly name: string;
  /** Grows with each change of its terms. */
  readonly revision: number;
  readonly received: number;
  readonly started: number;
  readonly duplicates: number;
  readonly refused: number;
  /** JSON text. */
  readonly lastError: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** With what has not been added up yet. */
function counted(column: string): string {
  return `(t.${column} + coalesce((select sum(m.${column}) from message_count m where m.trigger_id = t.id), 0))::bigint as ${column}`;
}

export const triggerColumns = `t.id, t.name, t.pipeline, t.version, t.queue, t.exchange, t.routing_key as "routingKey", t.labels, t.priority,
  t.enabled, t.revision, ${counted('received')}, ${counted('started')}, ${counted('duplicates')}, ${counted('refused')}, t.last_error as "lastError",
  t.created_at as "createdAt", t.updated_at as "updatedAt"`;
