import { tryGates } from '../execution-path/admission/try-gates.sql.js';
import { claimListLocked } from '../execution-path/claiming/claim-list-locked.sql.js';
import { behind } from './behind.js';

/**
 * Claims a hand-out of one task in one round trip: the gate, then all that `claim-list-locked` does, with a snapshot of its own, so that it
 * sees the marks (I10). Parameters: those of that statement, then $10 the root.
 * Zero rows: somebody holds the gate alone, or nothing was claimed.
 */
export const claimAtOnceFunction = `
create function claim_at_once(bigint, integer, bigint, bigint, integer[], uuid, integer[], text[], float8[], text)
returns table (
  id uuid, node smallint, attempt integer, fencing_token integer, charged smallint, losses smallint,
  input text, item text, item_key text, labels text, batch_id bigint
)
language plpgsql volatile
as $$
#variable_conflict use_column
declare
  is_open boolean := false;
  r record;
begin
  for r in ${behind(9, { ...tryGates, text: tryGates.text.replace('$1::text[]', 'array[$1]') })} loop
    is_open := r.open;
  end loop;
  if is_open then
    return query ${claimListLocked.text};
  end if;
end
$$
`;
