import { executionStates, executionTransitions, storedEvents, taskStates, taskTransitions } from '@app/domain';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The first schema. It lives in the schema that the connection's `search_path` names, so that namespaces never meet.
 *
 * Two rules shape it. No index on `execution` or `task` names a column that moves, so every update there can stay
 * heap-only. What must be found by state therefore has a narrow table: `handout` (ready tasks), `claim_batch` (running
 * ones), `recorded_batch` (recorded ones), `comeback` (to be admitted again), each with one row per *batch* where it can.
 */
export class Initial1700000000001 implements MigrationInterface {
  name = 'Initial1700000000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(enumeration('execution_state', executionStates));
    await runner.query(enumeration('task_state', taskStates));
    await runner.query(enumeration('event_kind', Object.keys(storedEvents)));
    await runner.query(
      enumeration('outcome_kind', ['succeeded', 'failed', 'snoozed', 'interrupted', 'cancelled', 'timed_out', 'lost']),
    );
    await runner.query(enumeration('merge_verdict', ['open', 'passed', 'failed']));
    await runner.query(enumeration('mark_kind', ['pause', 'cancel']));
    await runner.query(enumeration('control_kind', ['redrive', 'cancel', 'fail_fast', 'delete', 'reopen']));
    for (const statement of tables.split(/;\s*\n/)) if (statement.trim()) await runner.query(statement);
    await runner.query(markedLineage);
    await runner.query(childBound('first', '00000000'));
    await runner.query(childBound('last', '7fffffff'));
    await runner.query('insert into state_transition(machine, move, from_state, to_state) values ' + transitionRows());
  }

  async down(): Promise<void> {
    throw new Error('the first migration cannot be undone: drop the schema instead');
  }
}

function enumeration(name: string, values: readonly string[]): string {
  return `create type ${name} as enum (${values.map((v) => `'${v}'`).join(', ')})`;
}

function transitionRows(): string {
  const rows = (machine: string, table: readonly { move: string; from: readonly string[]; to: string }[]) =>
    table.flatMap((t) => t.from.map((from) => `('${machine}', '${t.move}', '${from}', '${t.to}')`));
  return [...rows('execution', executionTransitions), ...rows('task', taskTransitions)].join(', ');
}

const tables = `
create table state_transition (
  machine text not null check (machine in ('execution', 'task')),
  move text not null,
  from_state text not null,
  to_state text not null,
  primary key (machine, move, from_state)
);

create table pipeline (
  name text primary key,
  enabled boolean not null default true,
  latest_version integer not null,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);

create table pipeline_version (
  id integer generated always as identity primary key,
  name text not null,
  version integer not null check (version >= 1),
  definition text not null,
  definition_hash bytea not null,
  created_at timestamptz not null default now(),
  unique (name, version)
);

create table execution (
  id uuid not null,
  fan_out_id bigint,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  version_id integer not null,
  seq integer not null,
  state execution_state not null,
  priority smallint not null default 5,
  starts smallint not null default 0,
  input text not null,
  item text,
  item_key text,
  error text,
  fingerprint text,
  labels text,
  trace_id text,
  business_key text,
  deadline_at timestamptz,
  primary key (id)
) with (fillfactor = 60);

create index execution_top_level on execution (id) where fan_out_id is null;

create table task (
  execution_id uuid not null,
  started_at timestamptz,
  finished_at timestamptz,
  available_at timestamptz,
  attempt integer not null default 0,
  fencing_token integer not null default 0,
  incarnation integer,
  state task_state not null,
  outcome outcome_kind,
  node smallint not null,
  shard smallint not null default 0,
  charged smallint not null default 0,
  snoozes smallint not null default 0,
  losses smallint not null default 0,
  unbegun boolean not null default false,
  snooze_ms integer,
  output text,
  error text,
  checkpoint text,
  primary key (execution_id, node, shard)
) with (fillfactor = 60);

create table event (
  execution_id uuid not null,
  at timestamptz not null default now(),
  seq integer not null,
  attempt integer,
  actor integer,
  kind event_kind not null,
  node smallint,
  data text,
  primary key (execution_id, seq)
);

create table fan_out (
  id bigint generated always as identity primary key,
  parent_id uuid not null,
  root_id uuid not null,
  node smallint not null,
  merge_node smallint,
  generation integer not null default 1,
  superseded boolean not null default false,
  depth smallint not null check (depth between 1 and 16),
  priority smallint not null,
  child_version_id integer not null,
  child_path smallint[] not null,
  child_node smallint,
  queue text,
  destinations text[] not null default '{}',
  total integer,
  list_id uuid,
  list_frozen boolean not null default false,
  keyed boolean not null default false,
  keys_checked boolean not null default false,
  spawned integer not null default 0,
  attached integer not null default 0,
  sealed boolean not null default false,
  closed boolean not null default false,
  settled_at timestamptz,
  max_concurrency integer,
  tolerance text,
  round integer not null default 1,
  verdict merge_verdict not null default 'open',
  verdict_reason text,
  verdict_at timestamptz,
  deferred_until timestamptz,
  deferred_reason text,
  moved_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  unique (parent_id, node, generation),
  check (spawned >= 0),
  check (not (sealed and closed)),
  check (not sealed or total = spawned)
) with (fillfactor = 50);

create index fan_out_spawning on fan_out (id) where not sealed and not closed;
create index fan_out_root on fan_out (root_id);

create table fan_out_admission (
  fan_out_id bigint primary key references fan_out (id) on delete cascade,
  queue text not null,
  cursor integer not null default 0 check (cursor >= 0),
  opened integer not null default 0,
  done boolean not null default false
) with (fillfactor = 50);

create index fan_out_admission_open on fan_out_admission (queue) where not done;

create table fan_out_tally (
  fan_out_id bigint primary key references fan_out (id) on delete cascade,
  succeeded integer not null default 0 check (succeeded >= 0),
  failed integer not null default 0 check (failed >= 0),
  cancelled integer not null default 0 check (cancelled >= 0),
  paused integer not null default 0 check (paused >= 0),
  closed integer not null default 0
) with (fillfactor = 50);

create table fan_out_due (
  fan_out_id bigint primary key
);

create table item_key (
  fan_out_id bigint not null,
  sha256 bytea not null,
  item_index integer not null,
  primary key (fan_out_id, sha256)
);

create table comeback (
  execution_id uuid not null,
  node smallint not null,
  queue text not null,
  root_id uuid not null,
  parent_id uuid,
  fan_out_id bigint,
  version_id integer not null,
  child_path smallint[] not null,
  priority smallint not null,
  child boolean not null default false,
  suspect boolean not null default false,
  destinations text[] not null default '{}',
  available_at timestamptz not null default now(),
  primary key (execution_id, node)
);

create index comeback_due on comeback (queue, available_at);
create index comeback_fan_out on comeback (fan_out_id) where child;

create table intake (
  execution_id uuid primary key,
  at timestamptz not null default now()
);

create table handout (
  id bigint generated always as identity primary key,
  queue text not null,
  root_id uuid not null,
  parent_id uuid,
  fan_out_id bigint,
  version_id integer not null,
  child_path smallint[] not null,
  node smallint not null,
  first_id uuid,
  last_id uuid,
  ids uuid[],
  size integer not null,
  suspect boolean not null default false,
  destinations text[] not null default '{}',
  tries smallint not null default 0,
  next_check_at timestamptz not null default now() + interval '3 seconds',
  check ((ids is null) = (first_id is not null))
);

create table claim_batch (
  id bigint generated always as identity primary key,
  incarnation integer not null,
  node smallint not null,
  ids uuid[] not null,
  destinations text[] not null default '{}',
  timeout_at timestamptz,
  taken_at timestamptz not null default now()
);

create index claim_batch_incarnation on claim_batch (incarnation);

create table recorded_batch (
  id bigint generated always as identity primary key,
  plain boolean not null default false,
  ids uuid[] not null,
  nodes smallint[] not null,
  at timestamptz not null default now()
);

create table mark (
  execution_id uuid primary key,
  root_id uuid not null,
  kind mark_kind not null,
  cascade boolean not null default true,
  from_state execution_state not null,
  at timestamptz not null default now()
);

create index mark_root on mark (root_id);

create table control (
  id bigint generated always as identity primary key,
  kind control_kind not null,
  execution_id uuid not null,
  root_id uuid not null,
  fan_out_id bigint,
  round integer,
  filter text,
  next_fan_out bigint not null default 0,
  position uuid,
  matched integer not null default 0,
  moved integer not null default 0,
  created_at timestamptz not null default now()
);

create index control_fan_out on control (fan_out_id);

create table timer (
  id bigint generated always as identity primary key,
  kind text not null,
  execution_id uuid not null,
  node smallint,
  fan_out_id bigint,
  due_at timestamptz not null,
  data text
);

create index timer_due on timer (due_at);
create index timer_execution on timer (execution_id);

create table open_key (
  pipeline text not null,
  key_hash bytea not null,
  execution_id uuid not null unique,
  primary key (pipeline, key_hash)
);

create table executor (
  id integer generated always as identity primary key,
  name text not null,
  slots integer not null,
  free_slots integer not null,
  queues text[] not null,
  handlers text[] not null default '{}',
  state text not null default 'live' check (state in ('live', 'draining', 'lost', 'ended')),
  lease_ms integer not null,
  heartbeat_ms integer not null,
  host text,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  ended_at timestamptz
) with (fillfactor = 50);

create table queue (
  name text primary key,
  admitted bigint not null default 0
);

create table destination (
  id integer generated always as identity primary key,
  name text not null unique,
  host text,
  implicit boolean not null default false,
  max_concurrency integer check (max_concurrency >= 1),
  rate text,
  adaptive boolean not null default false,
  ramp integer,
  throttled_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
) with (fillfactor = 50);

create index destination_host on destination (host) where host is not null;

create table destination_holder (
  destination_id integer not null references destination (id) on delete cascade,
  execution_id uuid not null,
  node smallint not null,
  incarnation integer not null,
  taken_at timestamptz not null default now(),
  primary key (destination_id, execution_id, node)
);

create index destination_holder_task on destination_holder (execution_id, node);

create table destination_wait (
  id bigint generated always as identity primary key,
  destination_id integer not null,
  handout_id bigint not null references handout (id) on delete cascade
);

create index destination_wait_next on destination_wait (destination_id, id);
create index destination_wait_handout on destination_wait (handout_id);

create table dataset (
  id uuid primary key,
  name text not null,
  format text not null,
  columns text,
  separator text,
  item_count integer not null default 0,
  bytes bigint not null default 0,
  sha256 text,
  complete boolean not null default false,
  internal boolean not null default false,
  created_at timestamptz not null default now(),
  touched_at timestamptz not null default now()
);

create table dataset_chunk (
  dataset_id uuid not null references dataset (id) on delete cascade,
  first_index integer not null,
  item_count integer not null,
  body text not null,
  primary key (dataset_id, first_index)
);

create table dataset_use (
  dataset_id uuid not null,
  execution_id uuid not null,
  primary key (dataset_id, execution_id)
);

create table log_line (
  execution_id uuid not null,
  n integer not null,
  at timestamptz not null,
  node smallint not null,
  attempt integer not null,
  level text not null,
  message text not null,
  fields text,
  primary key (execution_id, n)
);

create table schedule (
  id uuid primary key,
  pipeline text not null,
  definition text not null,
  next_at timestamptz,
  enabled boolean not null default true
);

create table api_key (
  id uuid primary key,
  name text not null default '',
  role text not null check (role in ('admin', 'operator', 'viewer')),
  secret_hash bytea not null unique,
  created_at timestamptz not null default now()
);

create table quota (
  scope text primary key,
  max_open_executions integer,
  max_children_per_fan_out integer
);

create table audit_entry (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor text not null,
  action text not null,
  target text not null,
  data text
);

create table idempotency_key (
  scope text not null,
  key text not null,
  request_hash bytea not null,
  status smallint,
  response text,
  headers text,
  claimed_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (scope, key)
);

create table backlog_sample (
  at timestamptz not null,
  queue text not null,
  pending integer not null,
  ready integer not null,
  running integer not null,
  primary key (queue, at)
);

create table bus_message (
  id bigint generated always as identity primary key,
  queue text not null,
  body text not null
);

create index bus_message_queue on bus_message (queue, id);
`;

/** The strongest mark on an execution or on anything above it: cancel before pause, null without. */
const markedLineage = `
create function marked_lineage(start uuid) returns mark_kind
language sql stable
as $$
  with recursive line (id, fan_out_id) as (
    select e.id, e.fan_out_id
    from execution e
    where e.id = start
    union all
    select p.id, p.fan_out_id
    from line
    join fan_out f on f.id = line.fan_out_id
    join execution p on p.id = f.parent_id
  )
  select max(m.kind)
  from line
  join mark m on m.execution_id = line.id and (m.cascade or m.execution_id = start)
$$
`;

/** The bounds of a fan-out's children, as derived by `childIdRange` of the domain. */
const childBound = (which: 'first' | 'last', index: string): string => `
create function fan_out_${which}_child(root uuid, fan_out bigint) returns uuid
language sql immutable
as $$
  select (left(root::text, 13)
    || '-8' || lpad(to_hex(fan_out >> 30), 3, '0')
    || '-' || lpad(to_hex(32768 + ((fan_out & 1073741823) >> 16)), 4, '0')
    || '-' || lpad(to_hex(fan_out & 65535), 4, '0') || '${index}')::uuid
$$
`;
