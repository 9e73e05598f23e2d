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
