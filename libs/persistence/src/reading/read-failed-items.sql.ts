import type { Statement } from '../database/database.js';

/**
 * Items of given children with why they failed, in item order.
 * $1 uuid[]: children.
 */
export const readFailedItems: Statement = {
  name: 'read-failed-items',
  text: `
select id, coalesce(item, input) as item, error
from execution
where id = any($1)
order by id`,
};
