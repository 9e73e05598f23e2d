import { storedEvents } from '@app/domain';
import { counts } from '../execution-path/repair/tally-check.fragment.js';
import type { Statement } from '../database/database.js';

/** One way in which an invariant may be broken, as a query for the breaches. Each row is one: a subject and what is wrong. */
export interface InvariantCheck {
  readonly invariant: 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6';
  readonly promise: string;
  readonly statement: Statement;
}

const spans = Object.entries(storedEvents)
  .map(([kind, types]) => `('${kind}'::event_kind, ${types.length})`)
  .join(', ');

const stateAfter: Record<string, string> = {
  created: 'pending',
  ready: 'ready',
  started: 'running',
  opened: 'running',
  execution_started: 'running',
  all_succeeded: 'succeeded',
  succeeded: 'succeeded',
  all_failed: 'failed',
  failed: 'failed',
  cancelled: 'cancelled',
  paused: 'paused',
  reopened: 'pending',
  reopened_running: 'running',
};
const folds = Object.entries(stateAfter)
  .map(([kind, state]) => `('${kind}'::event_kind, '${state}'::execution_state)`)
  .join(', ');

const check = (
  invariant: InvariantCheck['invariant'],
  name: string,
  promise: string,
  text: string,
): InvariantCheck => ({ invariant, promise, statement: { name: `fsck-${name}`, text } });

export const invariantChecks: readonly InvariantCheck[] = [
  check(
    'I1',
    'children-are-spawned',
    'a fan-out has exactly the children it spawned, at positions 0 to spawned - 1',
    `
select f.id::text as subject, 'spawned ' || f.spawned || ', children ' || x.children || ', last position ' || coalesce(x.last, -1) as problem
from fan_out f
cross join lateral (
  select count(*)::integer as children, max(('x' || right(e.id::text, 8))::bit(32)::integer) as last
  from execution e
  where e.fan_out_id = f.id
    and e.id between fan_out_first_child(f.root_id, f.id) and fan_out_last_child(f.root_id, f.id)
) x
where x.children <> f.spawned
   or coalesce(x.last, -1) <> f.spawned - 1`,
  ),
  check(
    'I1',
    'children-have-a-fan-out',
    'every child belongs to a fan-out that is there',
    `
select e.id::text as subject, 'fan-out ' || e.fan_out_id || ' is not there' as problem
from execution e
left join fan_out f on f.id = e.fan_out_id
where e.fan_out_id is not null
  and f.id is null`,
  ),
  check(
    'I1',
    'keys-are-unique',
    'no two children of a fan-out have the same item key',
    `
select e.fan_out_id::text as subject, 'key ' || min(e.item_key) || ' stands ' || count(*) || ' times' as problem
from execution e
where e.item_key is not null
group by e.fan_out_id, e.item_key
having count(*) > 1`,
  ),
  check(
    'I2',
    'terminal-carries-finish',
    'a terminal state carries the time it was reached, and no other state does',
    `
select e.id::text as subject, e.state || ' with finished_at ' || coalesce(e.finished_at::text, 'null') as problem
from execution e
where (e.finished_at is not null) <> (e.state in ('succeeded', 'failed', 'cancelled'))`,
  ),
  check(
    'I2',
    'terminal-has-no-open-task',
    'nothing is open in a settled execution',
    `
select e.id::text as subject, e.state || ' with a task that is ' || t.state as problem
from execution e
join task t on t.execution_id = e.id
where e.state in ('succeeded', 'failed', 'cancelled')
  and t.state in ('ready', 'running', 'recorded', 'waiting')`,
  ),
  check(
    'I3',
    'running-has-a-lease',
    'a running task names an incarnation that is live, or whose loss is being swept',
    `
select t.execution_id::text || '/' || t.node as subject, 'running with incarnation ' || coalesce(t.incarnation::text, 'none') as problem
from task t
left join executor e on e.id = t.incarnation
where t.state = 'running'
  and (e.id is null or (e.state in ('lost', 'ended') and e.ended_at < now() - interval '60 seconds'))`,
  ),
  check(
    'I3',
    'tokens-grow',
    'the fencing token has grown at least as often as the attempt',
    `
select t.execution_id::text || '/' || t.node as subject, 'attempt ' || t.attempt || ', fencing token ' || t.fencing_token as problem
from task t
where t.fencing_token < t.attempt`,
  ),
  check(
    'I4',
    'tally-equals-children',
    'the tally of each kind is the number of children in that state',
    `
select f.id::text as subject,
       format('tally %s/%s/%s/%s, children %s/%s/%s/%s (succeeded/failed/cancelled/paused)',
         t.succeeded, t.failed, t.cancelled, t.paused, x.succeeded, x.failed, x.cancelled, x.paused) as problem
from fan_out f
join fan_out_tally t on t.fan_out_id = f.id
cross join lateral (${counts}) x
where (t.succeeded, t.failed, t.cancelled, t.paused) is distinct from (x.succeeded, x.failed, x.cancelled, x.paused)`,
  ),
  check(
    'I4',
    'places-equal-open-children',
    'as many places of a fan-out are taken as children are open',
    `
select f.id::text as subject, 'places taken ' || (a.opened - t.closed) || ', children open ' || x.open as problem
from fan_out f
join fan_out_tally t on t.fan_out_id = f.id
join fan_out_admission a on a.fan_out_id = f.id
cross join lateral (${counts}) x
where a.opened - t.closed <> x.open`,
  ),
  check(
    'I5',
    'verdict-has-its-event',
    'a verdict is told exactly once in its round',
    `
select f.id::text as subject, f.verdict || ' in round ' || f.round || ', told ' || x.told || ' times' as problem
from fan_out f
cross join lateral (
  select count(*) as told
  from event v
  where v.execution_id = f.parent_id
    and v.kind = 'fanout_verdict'
    and v.node = f.node
    and v.data like '%"generation":' || f.generation || ',"round":' || f.round || ',%'
) x
where f.verdict <> 'open'
  and x.told <> 1
  and not (f.closed and x.told = 0 and f.verdict_reason not like '%TOLERANCE_EXCEEDED%')`,
  ),
  check(
    'I5',
    'passed-is-sealed',
    'a fan-out passes only when it is sealed, or was cancelled, and all its children have settled',
    `
select f.id::text as subject, 'passed, sealed ' || f.sealed as problem
from fan_out f
join fan_out_tally t on t.fan_out_id = f.id
where f.verdict = 'passed'
  and not f.sealed
  and f.cancelled_at is null`,
  ),
  check(
    'I6',
    'events-have-no-gaps',
    "an execution's events are numbered without gaps up to its sequence",
    `
select x.execution_id::text as subject, 'events reach ' || x.reach || ', sequence is ' || e.seq || ', gaps ' || x.gaps as problem
from (
  select v.execution_id,
         max(v.seq + s.span - 1) as reach,
         count(*) filter (where v.seq + s.span <> v.next) as gaps,
         min(v.seq) as first
  from (select execution_id, seq, kind, lead(seq) over (partition by execution_id order by seq) as next from event) v
  join (values ${spans}) s (kind, span) on s.kind = v.kind
  group by v.execution_id
) x
join execution e on e.id = x.execution_id
where x.reach <> e.seq
   or x.gaps > 0
   or x.first <> 1`,
  ),
  check(
    'I6',
    'every-execution-has-events',
    'every execution has its history',
    `
select e.id::text as subject, 'no events' as problem
from execution e
where not exists (select from event v where v.execution_id = e.id)`,
  ),
  check(
    'I6',
    'fold-equals-state',
    'the last state-giving event of an execution gives its state',
    `
select e.id::text as subject, e.state || ', folds to ' || f.state as problem
from execution e
join (
  select distinct on (v.execution_id) v.execution_id, v.kind
  from event v
  where v.kind in (${Object.keys(stateAfter)
    .map((k) => `'${k}'`)
    .join(', ')}, 'resumed')
  order by v.execution_id, v.seq desc
) last on last.execution_id = e.id
join (values ${folds}) f (kind, state) on f.kind = last.kind
where e.state <> f.state`,
  ),
  check(
    'I6',
    'open-tasks-are-counted',
    'a count of open tasks that is of the present event sequence is the number of open tasks',
    `
select e.id::text as subject, 'counted ' || e.open_tasks || ', open ' || x.open as problem
from execution e
cross join lateral (
  select count(*) as open
  from task t
  where t.execution_id = e.id
    and not t.unbegun
    and t.state not in ('succeeded', 'failed', 'cancelled', 'skipped')
) x
where e.counted_seq = e.seq
  and e.open_tasks <> x.open`,
  ),
  check(
    'I6',
    'attempts-are-told',
    'every attempt is in the events, each number once',
    `
select t.execution_id::text || '/' || t.node as subject, 'attempt ' || t.attempt || ', told ' || x.told as problem
from task t
cross join lateral (
  select count(*) as told
  from event v
  where v.execution_id = t.execution_id
    and v.kind in ('started', 'attempt_started')
    and v.node = t.node
) x
where t.attempt > 0
  and x.told <> t.attempt`,
  ),
];
