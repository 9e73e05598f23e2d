import type { Statement } from '../database/database.js';

/** $1 pipeline of a version, $2 key hash, $3 execution. Zero rows: the key is in use. */
export const claimKeyAgain: Statement = {
  name: 'claim-key-again',
  text: `
insert into open_key (pipeline, key_hash, execution_id)
select v.name, $2, $3
from pipeline_version v
where v.id = $1
on conflict do nothing
returning execution_id`,
};
