import type { Statement } from '../../database/database.js';

/** Roots with something to admit in a queue, to take their gates. Parameters: $1 queue, $2 most rows of each kind. */
export const peekAdmissible: Statement = {
  name: 'peek-admissible',
  text: `
(select distinct f.root_id
 from fan_out_admission a
 join fan_out f on f.id = a.fan_out_id
 where a.queue = $1
   and not a.done
   and not f.closed
   and (a.cursor < least(f.spawned, f.released) or f.sealed and a.cursor = f.spawned)
 limit $2)
union
(select distinct c.root_id
 from (select root_id
       from comeback
       where queue = $1
         and available_at <= now()
       order by available_at
       limit $2 * 20) c
 limit $2)`,
};
