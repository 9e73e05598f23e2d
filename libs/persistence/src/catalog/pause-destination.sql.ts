import type { Statement } from '../database/database.js';

/**
 * Nothing new is called there, from now on and for every executor; one that is paused stays as it is.
 * $1 name, $2 whether an implicit destination of that name is made where there is none. Zero rows: there is none.
 */
export const pauseDestination: Statement = {
  name: 'pause-destination',
  text: `
with made as (
  insert into destination (name, implicit, paused_at)
  select $1, true, now()
  where $2::boolean
    and not exists (select from destination where name = $1)
  on conflict (name) do nothing
  returning name
), paused as (
  update destination
  set paused_at = coalesce(paused_at, now())
  where name = $1
  returning name
)
select name from made
union
select name from paused`,
};
