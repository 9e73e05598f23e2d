import type { Statement } from '../../database/database.js';

export const forgetBacklog: Statement = {
  name: 'forget-backlog',
  text: `
delete from backlog_sample
where at < now() - interval '7 days'`,
};
