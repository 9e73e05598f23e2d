import type { Statement } from '../database/database.js';

/**
 * Takes a business key for an execution.
 * $1 text: pipeline, $2 bytea: sha-256 of the key, $3 uuid: execution.
 * Guard: no open execution of that pipeline holds it. Zero rows: one does.
 */
export const claimOpenKey: Statement = {
  name: 'claim-open-key',
  text: `
insert into open_key (pipeline, key_hash, execution_id)
values ($1, $2, $3)
on conflict (pipeline, key_hash) do nothing
returning execution_id`,
};
