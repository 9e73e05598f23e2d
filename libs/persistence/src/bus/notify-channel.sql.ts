import type { Statement } from '../database/database.js';

/** $1 channel, $2 payload. */
export const notifyChannel: Statement = {
  name: 'notify-channel',
  text: 'select pg_notify($1, $2)',
};
