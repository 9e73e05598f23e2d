import type { Statement } from '../../database/database.js';

/** Inputs of executions whose plan reads them. $1 executions. */
export const loadPayloads: Statement = {
  name: 'load-payloads',
  text: `
select id, input, item, labels
from execution
where id = any ($1::uuid[])`,
};
