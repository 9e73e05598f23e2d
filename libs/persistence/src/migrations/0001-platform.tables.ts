/** What stands beside the path of a child: timers, executors, destinations, datasets, access. */
export const platformTables = `
create table timer (
  id bigint generated always as identity primary key,
  kind text not null,
  execution_id uuid not null,
  root_id uuid,
  node smallint,
  due_at timestamptz not null,
  held boolean not null default false,
  fired boolean not null default false
);

create index timer_due on timer (due_at) where not held and not fired;
create index timer_held on timer (root_id) where held;
create index timer_execution on timer (execution_id);

create table signal (
  id bigint generated always as identity primary key,
  execution_id uuid not null,
  name text not null,
  body text not null,
  at timestamptz not null default now()
);

create index signal_execution on signal (execution_id);

create table notice_round (
  execution_id uuid primary key,
  rounds integer not null default 1
);

create table notice (
  execution_id uuid not null,
  round integer not null,
  hook smallint not null,
  outcome text not null check (outcome in ('SUCCEEDED', 'FAILED', 'CANCELLED', 'DEFERRED')),
  at timestamptz not null default now(),
  error text,
  fan_outs text not null,
  state text not null default 'pending' check (state in ('pending', 'running', 'delivered', 'failed')),
  attempt integer not null default 0,
  charged smallint not null default 0,
  due_at timestamptz not null default now(),
  delivery_error text,
  ended_at timestamptz,
  primary key (execution_id, round, hook)
) with (fillfactor = 70);

create index notice_due on notice (due_at) where state in ('pending', 'running');

create table frozen_batch (
  fan_out_id bigint not null references fan_out (id) on delete cascade,
  first_index integer not null,
  item_count integer not null,
  queue text not null,
  handler text,
  state text not null default 'pending' check (state in ('pending', 'running', 'answered', 'failed', 'used')),
  attempt integer not null default 0,
  charged smallint not null default 0,
  due_at timestamptz not null default now(),
  answer text,
  error text,
  primary key (fan_out_id, first_index)
) with (fillfactor = 70);

create index frozen_batch_due on frozen_batch (due_at) where state in ('pending', 'running');
create index frozen_batch_ended on frozen_batch (fan_out_id, first_index) where state in ('answered', 'failed');

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
  node_types text[] not null,
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
  rate_state text,
  rate_room_at timestamptz,
  adaptive boolean not null default false,
  adaptive_limit integer check (adaptive_limit >= 1),
  adaptive_state text,
  ramp integer,
  throttled_until timestamptz,
  breaker_until timestamptz,
  paused_at timestamptz,
  yields boolean not null default false,
  breaker_opens smallint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
) with (fillfactor = 50);

create index destination_host on destination (host) where host is not null;

create table destination_holder (
  batch_id bigint not null,
  destination_id integer not null references destination (id) on delete cascade,
  incarnation integer not null,
  node smallint not null,
  ids uuid[] not null,
  taken_at timestamptz not null default now(),
  primary key (batch_id, destination_id)
) with (fillfactor = 50);

create index destination_holder_destination on destination_holder (destination_id);
create index destination_holder_incarnation on destination_holder (incarnation);

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
  id integer generated always as identity primary key,
  name text not null unique,
  pipeline text not null,
  version integer,
  cron text not null,
  time_zone text not null,
  input text not null,
  labels text,
  priority smallint not null,
  overlap text not null check (overlap in ('SKIP', 'QUEUE', 'CANCEL_PREVIOUS')),
  missed text not null check (missed in ('SKIP', 'RUN_ONCE', 'RUN_ALL')),
  missed_limit integer not null check (missed_limit >= 1),
  enabled boolean not null,
  next_at timestamptz,
  last_at timestamptz,
  last_execution_id uuid,
  last_error text,
  skipped integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create index schedule_due on schedule (next_at) where enabled;
create index schedule_pipeline on schedule (pipeline);

create table schedule_run (
  schedule_id integer not null references schedule (id) on delete cascade,
  due_at timestamptz not null,
  execution_id uuid,
  primary key (schedule_id, due_at)
);

create index schedule_run_waiting on schedule_run (schedule_id) where execution_id is null;

create table trigger (
  id integer generated always as identity primary key,
  name text not null unique,
  pipeline text not null,
  version integer,
  queue text not null,
  exchange text,
  routing_key text,
  labels text,
  priority smallint not null,
  enabled boolean not null,
  revision integer not null default 1,
  received bigint not null default 0,
  started bigint not null default 0,
  duplicates bigint not null default 0,
  refused bigint not null default 0,
  last_error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (routing_key is null or exchange is not null)
);

create index trigger_pipeline on trigger (pipeline);

create table message_count (
  id bigint generated always as identity primary key,
  trigger_id integer not null references trigger (id) on delete cascade,
  received smallint not null,
  started smallint not null,
  duplicates smallint not null,
  refused smallint not null
);

create index message_count_trigger on message_count (trigger_id);

create table refused_message (
  id bigint generated always as identity primary key,
  trigger_id integer not null references trigger (id) on delete cascade,
  message_id text,
  reason text not null,
  body bytea not null,
  bytes integer not null,
  at timestamptz not null default now()
);

create index refused_message_trigger on refused_message (trigger_id, id);

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

create table pressure (
  kind text not null,
  source text not null,
  since timestamptz not null default now(),
  until timestamptz,
  detail text not null,
  primary key (kind, source)
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

-- Messages are hints: those that a crash of the server loses the sweeps give anew, so no commit waits for the disk.
create unlogged table bus_message (
  id bigint generated always as identity primary key,
  queue text not null,
  body text not null
);

create index bus_message_queue on bus_message (queue, id);
`;
