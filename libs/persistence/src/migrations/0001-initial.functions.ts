import { columnsInForce } from '../execution-path/destinations/in-force.fragment.js';
import { placesHeld } from '../execution-path/destinations/places.fragment.js';

/** The strongest mark on an execution or on anything above it: cancel before pause, null without. */
export const markedLineage = `
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

/** The strongest mark that reaches the children of an execution: one on it or above it that cascades. */
export const markedChildrenOf = `
create function marked_children_of(parent uuid) returns mark_kind
language sql stable
as $$
  with recursive line (id, fan_out_id) as (
    select e.id, e.fan_out_id
    from execution e
    where e.id = parent
    union all
    select p.id, p.fan_out_id
    from line
    join fan_out f on f.id = line.fan_out_id
    join execution p on p.id = f.parent_id
  )
  select max(m.kind)
  from line
  join mark m on m.execution_id = line.id and m.cascade
$$
`;

/** The strongest mark above tasks that are handed out together: of their parent's children, or of a top-level execution. */
export const markedTogether = `
create function marked_together(parent uuid, own uuid) returns mark_kind
language sql stable
as $$
  select case when parent is null then marked_lineage(own) else marked_children_of(parent) end
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
