import type { Statement } from '../../database/database.js';

/** Holders of incarnations that are over and have nothing claimed: their calls ended with them. */
export const freeLostHolders: Statement = {
  name: 'free-lost-holders',
  text: `
delete from destination_holder h
using executor e
where e.id = h.incarnation
  and e.state in ('lost', 'ended')
  and not exists (select from task t where t.execution_id = h.execution_id and t.node = h.node and t.incarnation = h.incarnation and t.state = 'running')`,
};
