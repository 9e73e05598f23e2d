import type { Statement } from '../../database/database.js';

/**
 * Whether anything in a hand-out stands under a pause or a cancel. Usually nothing of the root is marked, and that is all
 * that is looked at. $1 root, $2 hand-out.
 */
export const isHandoutMarked: Statement = {
  name: 'is-handout-marked',
  text: `
select exists (select from mark where root_id = $1)
   and exists (
     select
     from handout h
     where h.id = $2
       and marked_lineage(coalesce(h.parent_id, h.first_id, h.ids[1])) is not null
   ) as marked`,
};
