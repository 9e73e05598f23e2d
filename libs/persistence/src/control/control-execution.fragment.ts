/** Fan-outs below an execution, at every depth: those whose parent is it or one of its descendants. $1 execution, $2 root. */
export const below = `
with recursive below (id) as (
  select id
  from fan_out
  where parent_id = $1
  union
  select f.id
  from below b
  join fan_out f on f.root_id = $2
  join execution p on p.id = f.parent_id and p.fan_out_id = b.id
)`;
