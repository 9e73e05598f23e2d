/** Fan-outs below an execution, at every depth: those whose parent is it or one of its descendants. $1 execution, $2 root. */
export const below = `
with recursive below (id) as (
  select id
  from fan_out
  where parent_id = $1
  union
  select f.id
  from below b
  join fan_out f on f.parent_id between fan_out_first_child($2, b.id) and fan_out_last_child($2, b.id)
)`;
