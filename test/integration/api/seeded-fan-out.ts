import { childId } from '@app/domain';
import type { Database } from '@app/persistence';

export interface SeededChild {
  readonly state: 'pending' | 'succeeded' | 'failed' | 'cancelled' | 'running';
  readonly item?: string;
  readonly output?: string | null;
  readonly error?: string;
  readonly fingerprint?: string;
  readonly key?: string;
}

/**
 * What an engine would have left: a fan-out below `parentId` whose children run the inline node of spawner 0, each in
 * the given state. Returns the ids of the children in item order.
 */
export async function seedFanOut(
  database: Database,
  parentId: string,
  children: readonly SeededChild[],
  listId: string | null = null,
): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: number; version_id: number }>(
    `insert into fan_out (parent_id, root_id, node, merge_node, depth, priority, child_version_id, child_path, child_node,
       total, spawned, sealed, list_id)
     select e.id, e.id, 0, 1, 1, 5, e.version_id, '{0}', 0, $2, $2, true, $3
     from execution e where e.id = $1
     returning id, child_version_id as version_id`,
    [parentId, children.length, listId],
  );
  const { id: fanOut, version_id: versionId } = rows[0]!;
  const ids = children.map((_, i) => childId(parentId, fanOut, i));
  const counted = (state: string) => children.filter((child) => child.state === state).length;
  await database.pool.query(
    `insert into fan_out_tally (fan_out_id, succeeded, failed, cancelled) values ($1, $2, $3, $4)`,
    [fanOut, counted('succeeded'), counted('failed'), counted('cancelled')],
  );
  await database.pool.query(
    `insert into fan_out_admission (fan_out_id, queue, cursor, done) values ($1, 'default', $2, true)`,
    [fanOut, children.length - counted('pending')],
  );
  await database.pool.query(
    `insert into execution (id, fan_out_id, version_id, seq, state, input, item, item_key, error, fingerprint, finished_at)
     select id, $2, $3, 1, state, coalesce(item, 'null'), null, key, error, fingerprint,
       case when state in ('succeeded', 'failed', 'cancelled') then now() end
     from unnest($1::uuid[], $4::execution_state[], $5::text[], $6::text[], $7::text[], $8::text[])
       as c(id, state, item, key, error, fingerprint)`,
    [
      ids,
      fanOut,
      versionId,
      children.map((child) => child.state),
      children.map((child) => child.item ?? null),
      children.map((child) => child.key ?? null),
      children.map((child) => child.error ?? null),
      children.map((child) => child.fingerprint ?? null),
    ],
  );
  await database.pool.query(
    `insert into task (execution_id, node, state, output)
     select id, 0, 'succeeded', output from unnest($1::uuid[], $2::text[]) as t(id, output)`,
    [
      ids.filter((_, i) => children[i]!.state === 'succeeded'),
      children.filter((child) => child.state === 'succeeded').map((child) => child.output ?? null),
    ],
  );
  return ids;
}

/** Ends an execution as an engine would, with one event. */
export async function settle(
  database: Database,
  id: string,
  state: 'succeeded' | 'failed' | 'cancelled',
): Promise<void> {
  await database.pool.query(
    `with e as (
       update execution set state = $2::text::execution_state, seq = seq + 1, finished_at = now() where id = $1 returning id, seq
     )
     insert into event (execution_id, seq, kind) select id, seq, $2::text::event_kind from e`,
    [id, state],
  );
}
