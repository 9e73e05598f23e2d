import type { Statement } from '../../database/database.js';

/** An operator holds new fan-outs back, until it is lifted. $1 why. */
export const putPressure: Statement = {
  name: 'put-pressure',
  text: `
insert into pressure (kind, source, detail)
values ('OPERATOR', 'operator', $1)
on conflict (kind, source) do update
set detail = excluded.detail
returning kind, since, detail`,
};
