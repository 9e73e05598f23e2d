import type { Statement } from '../../database/database.js';

/** Keeps a signal until a node takes it. $1 execution, $2 name, $3 body (exact JSON text). */
export const keepSignal: Statement = {
  name: 'keep-signal',
  text: `
insert into signal (execution_id, name, body)
values ($1, $2, $3)`,
};
