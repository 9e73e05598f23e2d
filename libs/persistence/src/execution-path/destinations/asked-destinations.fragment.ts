/**
 * Destinations that calls went to, found under all their names and locked in id order.
 *
 * Parameters: $1 names of the implicit ones (null: there is none to make), $2 a number for each; $3 positions in $1 (from 1), $4
 * hosts or names under which explicit ones may be registered, $5 whether that is a name, one of each for a pair.
 * What is found neither by name nor by host is to be made as an implicit destination by the caller, from `asked`.
 */
export const askedDestinations = `
asked as (
  select a.name, a.n, a.position
  from unnest($1::text[], $2::integer[]) with ordinality a (name, n, position)
), found as (
  select d.id, a.position, a.n
  from asked a
  join destination d on d.name = a.name
  union
  select d.id, a.position, a.n
  from unnest($3::integer[], $4::text[], $5::boolean[]) x (position, text, is_name)
  join asked a on a.position = x.position
  join destination d on (x.is_name and d.name = x.text) or (not x.is_name and d.host = x.text)
), locked as (
  select id
  from destination
  where id in (select id from found)
  order by id
  for no key update
)`;
