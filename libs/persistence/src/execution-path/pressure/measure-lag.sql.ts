import type { Statement } from '../../database/database.js';

/** How far settling and standbys are behind, in milliseconds; null: not at all. What a role may not see of standbys is null as well. */
export const measureLag: Statement = {
  name: 'measure-lag',
  text: `
select (select extract(epoch from now() - min(at)) * 1000 from recorded_batch)::float8 as settling,
       (select extract(epoch from max(replay_lag)) * 1000 from pg_stat_replication)::float8 as standby`,
};
