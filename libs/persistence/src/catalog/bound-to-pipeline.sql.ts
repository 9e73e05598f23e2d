import type { Statement } from '../database/database.js';

/** What would go on starting executions of a pipeline: schedules and triggers. $1 pipeline. */
export const boundToPipeline: Statement = {
  name: 'bound-to-pipeline',
  text: `
select 'schedule ' || name as what
from schedule
where pipeline = $1
union all
select 'trigger ' || name
from trigger
where pipeline = $1
order by 1
limit 10`,
};
