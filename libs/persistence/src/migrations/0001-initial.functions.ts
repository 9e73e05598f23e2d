import { columnsInForce } from '../execution-path/destinations/in-force.fragment.js';
import { placesHeld } from '../execution-path/destinations/places.fragment.js';

/**
 * What the marks of a lineage come to. Levels are even for executions, the one looked at being 0, and odd for the fan-outs that they
 * are children of. A cancel always wins. A pause holds everything below it, but for what was released nearer than it stands.
 * @param self where to start: an execution (`id`) or the children of a fan-out (no `id`)
 */
const strongestMark = (self: string): string => `
  with recursive line (id, fan_out_id, parent_id, level) as (
    ${self}
    union all
    select p.id, p.fan_out_id, f.parent_id, line.level + 2
    from line
    join execution p on p.id = line.parent_id
    left join fan_out f on f.id = p.fan_out_id
  ), found (kind, level) as (
    select m.kind, line.level
    from line
    join mark m on m.execution_id = line.id and m.fan_out_id = 0
    where m.cascade or line.level = 0
    union all
    select m.kind, line.level + 1
    from line
    join mark m on m.execution_id = line.parent_id and m.fan_out_id = line.fan_out_id
  )
  select case
    when bool_or(kind = 'cancel') then 'cancel'
    when min(level) filter (where kind = 'pause') < coalesce(min(level) filter (where kind = 'release'), 1000) then 'pause'
  end::mark_kind
  from found`;

/** What holds an execution: a mark on it or on anything above it, cancel before pause; null: nothing. */
export const markedLineage = `
create function marked_lineage(start uuid) returns mark_kind
language sql stable
as $$${strongestMark(`
    select e.id, e.fan_out_id, f.parent_id, 0
    from execution e
    left join fan_out f on f.id = e.fan_out_id
    where e.id = start`)}
$$
`;

/** What holds the children of a fan-out: a mark on it, or one on its parent or above that cascades. */
export const markedChildrenOf = `
create function marked_children_of(parent uuid, fan_out bigint) returns mark_kind
language sql stable
as $$${strongestMark('select null::uuid, fan_out, parent, 0')}
$$
`;

/**
 * What holds tasks that are handed out together: children of a fan-out, or one top-level execution. A list of children that were
 * released goes although their fan-out is paused: under a pause nothing else is admitted with them.
 */
export const markedTogether = `
create function marked_together(parent uuid, fan_out bigint, first_id uuid, ids uuid[]) returns mark_kind
language sql stable
as $$
  select case
    when parent is null then marked_lineage(coalesce(first_id, ids[1]))
    when first_id is null
      and exists (select from mark m where m.execution_id = ids[1] and m.fan_out_id = 0 and m.kind = 'release')
      then marked_lineage(ids[1])
    else marked_children_of(parent, fan_out)
  end
$$
`;

/** The bounds of a fan-out's children, as derived by `childIdRange` of the domain. */
export const childBound = (which: 'first' | 'last', index: string): string => `
create function fan_out_${which}_child(root uuid, fan_out bigint) returns uuid
language sql immutable
as $$
  select (left(root::text, 13)
    || '-8' || lpad(to_hex(fan_out >> 30), 3, '0')
    || '-' || lpad(to_hex(32768 + ((fan_out & 1073741823) >> 16)), 4, '0')
    || '-' || lpad(to_hex(fan_out & 65535), 4, '0') || '${index}')::uuid
$$
`;

/**
 * Destinations in force among names (`host:…` for hosts) or ids: locked in id order, and then looked at by a statement of its own,
 * which sees what those have left that had them locked before. One round trip for both, as all claims of a destination queue here.
 * The lock is the one that an update takes: a new holder refers to the destination, and that must not exclude it.
 */
export const destinationsInForce = `
create function destinations_in_force(by_name text[], by_id integer[])
returns table (id integer, name text, host text, "limit" integer, "throttledForMs" float8, "openForMs" float8, rate text,
  "rateState" text, learns boolean, held integer, now float8, "waitedMs" float8)
language plpgsql volatile
as $$
#variable_conflict use_column
declare
  found_ids integer[];
begin
  select array_agg(x.id) into found_ids
  from (
    select d.id
    from destination d
    where d.name = any (by_name)
       or 'host:' || d.host = any (by_name)
       or d.id = any (by_id)
    order by d.id
    for no key update
  ) x;
  if found_ids is null then
    return;
  end if;
  return query
  select ${columnsInForce('d')},
         ${placesHeld('d.id')} as held,
         (extract(epoch from clock_timestamp()) * 1000)::float8 as now,
         (extract(epoch from clock_timestamp() - statement_timestamp()) * 1000)::float8 as "waitedMs"
  from destination d
  where d.id = any (found_ids)
  order by d.id;
end
$$
`;
