import type { Statement } from '../database/database.js';

/** What would go on starting executions of a pipeline: schedules, by name. $1 pipeline. */
export const boundToPipeline: Statement = {
  name: 'bound-to-pipeline',
  text: `
select 'schedule ' || name as what
from schedule
where pipeline = $1
order by name
limit 10`,
};
