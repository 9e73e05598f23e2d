import type { Statement } from '../../database/database.js';

/** Locks a queue's row: one orchestrator admits to a queue at a time. Zero rows: somebody else does. $1 queue. */
export const lockQueue: Statement = {
  name: 'lock-queue',
  text: `
select name
from queue
where name = $1
for update skip locked`,
};
