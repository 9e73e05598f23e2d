import type { Engine } from './engine.js';
import type { Sink } from './sink.js';

/**
 * Calls at the sink that no attempt in the history explains: a call names its task and its attempt, and must be the only
 * one of that attempt. Empty when all is well.
 */
export const unexplainedCalls = async (engine: Engine, sink: Sink, parentId: string): Promise<string[]> => {
  const attempts = new Map<string, number>();
  const rows = await engine.query<{ id: string; attempt: number }>(
    `select e.id::text as id, t.attempt from fan_out f
     join execution e on e.id between fan_out_first_child(f.root_id, f.id) and fan_out_last_child(f.root_id, f.id)
     join task t on t.execution_id = e.id
     where f.parent_id = $1`,
    [parentId],
  );
  for (const { id, attempt } of rows) attempts.set(id, attempt);
  const seen = new Set<string>();
  return sink.calls.flatMap(({ headers }) => {
    const label = String(headers['x-execution-id']);
    const key = String(headers['idempotency-key']);
    const attempt = Number(label.slice(key.length + 1));
    const known = attempts.get(key.slice(0, 36));
    if (known === undefined) return [`${label}: no such child`];
    if (attempt < 1 || attempt > known) return [`${label}: the task made ${known} attempts`];
    if (seen.has(label)) return [`${label}: called twice in one attempt`];
    seen.add(label);
    return [];
  });
};
