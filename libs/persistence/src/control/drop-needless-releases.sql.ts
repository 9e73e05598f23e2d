import type { Statement } from '../database/database.js';

/** Releases from a pause that is over. $1 root. */
export const dropNeedlessReleases: Statement = {
  name: 'drop-needless-releases',
  text: `
delete from mark m
using execution e
join fan_out f on f.id = e.fan_out_id
where m.root_id = $1
  and m.kind = 'release'
  and e.id = m.execution_id
  and marked_children_of(f.parent_id, f.id) is distinct from 'pause'`,
};
