/** Executions and everything on the path of a child. */
export const executionTables = `
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
  counted_seq integer,
  open_tasks smallint,
  dead_nodes bytea,
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
  cancelled_at timestamptz,
  within_quota boolean not null default false,
  all_succeeded boolean not null default false,
  max_concurrency integer,
  tolerance text,
  round integer not null default 1,
  verdict merge_verdict not null default 'open',
  verdict_reason text,
  verdict_at timestamptz,
  deferred_until timestamptz,
  deferred_reason text,
  released integer check (released >= 0),
  stage smallint not null default 0,
  stage_hold stage_hold,
  stage_failed integer,
  moved_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  unique (parent_id, node, generation),
  check (spawned >= 0),
  check (not (sealed and closed)),
  check (not sealed or total = spawned)
) with (fillfactor = 50);

create index fan_out_spawning on fan_out (id) where not sealed and not closed;
create index fan_out_root on fan_out (root_id, id);
create index fan_out_countable on fan_out (id) where not all_succeeded;

create table fan_out_admission (
  fan_out_id bigint primary key references fan_out (id) on delete cascade,
  queue text not null,
  cursor integer not null default 0 check (cursor >= 0),
  opened integer not null default 0,
  backlogged boolean not null default false,
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
  fan_out_id bigint primary key,
  due_at timestamptz not null default now()
);

create index fan_out_due_next on fan_out_due (due_at);

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
  critical_path smallint not null default 1,
  child boolean not null default false,
  suspect boolean not null default false,
  destinations text[] not null default '{}',
  available_at timestamptz not null default now(),
  primary key (execution_id, node)
);

create index comeback_due on comeback (queue, available_at);
create index comeback_root on comeback (queue, root_id, available_at);
create index comeback_fan_out on comeback (fan_out_id) where child;

create table intake (
  execution_id uuid primary key,
  nodes smallint[],
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
  execution_id uuid not null,
  fan_out_id bigint not null default 0,
  root_id uuid not null,
  kind mark_kind not null,
  cascade boolean not null default true,
  from_state execution_state,
  reason text,
  at timestamptz not null default now(),
  primary key (execution_id, fan_out_id),
  check (fan_out_id = 0 or kind <> 'release'),
  check (fan_out_id <> 0 or from_state is not null)
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
  created_at timestamptz not null default clock_timestamp()
);

create index control_fan_out on control (fan_out_id);
`;
