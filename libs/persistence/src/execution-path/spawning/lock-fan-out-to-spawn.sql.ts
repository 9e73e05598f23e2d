import type { Statement } from '../../database/database.js';
import { columns } from './fan-out-to-spawn.fragment.js';

/** The same with the control row locked: one spawner at a time works on a fan-out. */
export const lockFanOutToSpawn: Statement = {
  name: 'lock-fan-out-to-spawn',
  text: `${columns}
where f.id = $1
  and not f.sealed
  and not f.closed
for update of f skip locked`,
};
