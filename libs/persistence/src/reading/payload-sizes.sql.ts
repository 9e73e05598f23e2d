import type { Statement } from '../database/database.js';

/**
 * How large the payloads of executions are, without reading them.
 * $1 uuid[], $2 boolean: inputs, $3 boolean: outputs of all their tasks.
 */
export const payloadSizes: Statement = {
  name: 'payload-sizes',
  text: `
select e.id,
  case when $2 then octet_length(e.input) else 0 end
  + case when $3 then coalesce((select sum(octet_length(t.output)) from task t where t.execution_id = e.id), 0)
    else 0 end as bytes
from execution e
where e.id = any($1)`,
};
