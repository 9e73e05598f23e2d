import { eventually } from './eventually.js';
import type { Stage } from './in-every-mode.js';

/** What a cancel in the middle of spawning left behind. */
export interface NestedCancel {
  /** Descendants that existed when it was asked for, and in the end. */
  readonly atCancel: number;
  readonly atEnd: number;
  /** From the answer until no descendant was open. */
  readonly closedAfterMs: number;
  /** Tasks whose claim is later than the answer, by the database's clock. */
  readonly claimedAfter: number;
  /** Executions born after the answer. */
  readonly bornAfter: number;
}

const [outer, middle, inner] = [10, 10, 49] as const;
/** 10 children, 100 grandchildren, 4,900 of theirs. */
export const nestedDescendants = outer + outer * middle + outer * middle * inner;

/** Publishes three levels of spawners. @returns the name of the topmost pipeline */
export async function publishNested({ engine, sink, name }: Stage): Promise<string> {
  const names = [name(), name(), name()] as const;
  const fan = (pipeline: string, child: object, items: number) =>
    engine.api.publish({
      name: pipeline,
      nodes: [
        { id: 'list', type: 'TRANSFORM', config: { output: Array.from({ length: items }, (_, n) => n) } },
        { id: 'fan', type: 'SPAWNER', config: { items: '${nodes.list.output}', ...child } },
        { id: 'join', type: 'MERGE', config: {} },
      ],
      edges: [
        { from: 'list', to: 'fan' },
        { from: 'fan', to: 'join' },
      ],
    });
  const http = { type: 'HTTP', config: { method: 'POST', url: sink.url, body: '${item}' } };
  await fan(names[2], { node: http }, inner);
  await fan(names[1], { pipeline: names[2] }, middle);
  await fan(names[0], { pipeline: names[1] }, outer);
  return names[0];
}

const range = 'between fan_out_first_child(f.root_id, f.id) and fan_out_last_child(f.root_id, f.id)';

/** Starts one, cancels it when so many descendants exist, and waits until none of them is open. */
export async function cancelAmidSpawning({ engine }: Stage, pipeline: string, when: number): Promise<NestedCancel> {
  const { api } = engine;
  const { id } = await api.start(pipeline, {});
  const count = async (): Promise<number> => {
    const [row] = await engine.query<{ n: number }>(
      'select coalesce(sum(spawned), 0)::integer as n from fan_out where root_id = $1',
      [id],
    );
    return row!.n;
  };
  const atCancel = await eventually(
    async () => {
      const n = await count();
      return n >= when && n;
    },
    { everyMs: 3 },
  );
  await api.act(id, 'cancel');
  const answeredAt = performance.now();
  const [answer] = await engine.query<{ at: string }>('select clock_timestamp()::text as at');
  const open = `select count(*)::integer as n from fan_out f join execution e on e.id ${range}
    where f.root_id = $1 and e.state not in ('succeeded', 'failed', 'cancelled')`;
  await eventually(async () => (await engine.query<{ n: number }>(open, [id]))[0]!.n === 0, { timeoutMs: 20_000 });
  const closedAfterMs = performance.now() - answeredAt;
  const [late] = await engine.query<{ claimed: number; born: number }>(
    `select (select count(*) from fan_out f join task t on t.execution_id ${range}
             where f.root_id = $1 and t.incarnation is not null and t.started_at > $2::timestamptz)::integer as claimed,
            (select count(*) from fan_out f join execution e on e.id ${range}
             where f.root_id = $1 and e.created_at > $2::timestamptz)::integer as born`,
    [id, answer!.at],
  );
  const settled = await api.execution(id);
  if (settled.state !== 'CANCELLED' || settled.openDescendants !== 0)
    throw new Error(`not cancelled: ${settled.state}, ${settled.openDescendants} open`);
  return {
    atCancel: atCancel as number,
    atEnd: await count(),
    closedAfterMs,
    claimedAfter: late!.claimed,
    bornAfter: late!.born,
  };
}
