import type { Statement } from '../../database/database.js';

export const longestLease: Statement = {
  name: 'longest-lease',
  text: `
select coalesce(max(lease_ms), 15000) as ms
from executor
where state in ('live', 'draining')`,
};
