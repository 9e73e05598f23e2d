import type { Statement } from '../../database/database.js';

/** Holders of incarnations that are over and have nothing claimed: their calls ended with them. And rows that nobody is left in. */
export const freeLostHolders: Statement = {
  name: 'free-lost-holders',
  text: `
delete from destination_holder h
where h.ids = '{}'
   or (exists (select from executor e where e.id = h.incarnation and e.state in ('lost', 'ended'))
       and not exists (select from task t
                       where t.execution_id = any (h.ids)
                         and t.node = h.node
                         and t.incarnation = h.incarnation
                         and t.state = 'running'))`,
};
