import type { Statement } from '../../database/database.js';

/** Bytes that the tables of the namespace take on disk, with indexes and overlong values. */
export const measureStorage: Statement = {
  name: 'measure-storage',
  text: `
select coalesce(sum(pg_total_relation_size(oid)), 0)::float8 as bytes
from pg_class
where relnamespace = current_schema::regnamespace
  and relkind = 'r'`,
};
