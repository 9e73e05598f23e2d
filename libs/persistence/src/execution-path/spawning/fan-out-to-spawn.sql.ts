import type { Statement } from '../../database/database.js';
import { columns } from './fan-out-to-spawn.fragment.js';

export const fanOutToSpawn: Statement = {
  name: 'fan-out-to-spawn',
  text: `${columns}
where f.id = $1
  and not f.sealed
  and not f.closed`,
};
