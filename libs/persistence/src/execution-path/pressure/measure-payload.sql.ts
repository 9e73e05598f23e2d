import type { Statement } from '../../database/database.js';

/** Bytes of datasets and of lists that are kept for fan-outs. */
export const measurePayload: Statement = {
  name: 'measure-payload',
  text: `select coalesce(sum(bytes), 0)::float8 as bytes from dataset`,
};
