import type { Statement } from '../database/database.js';

/**
 * Makes a pipeline's next version its newest; the first one, too, and the first one after a deletion.
 * $1 name. Always one row: the number of the version to insert.
 */
export const publishPipeline: Statement = {
  name: 'publish-pipeline',
  text: `
insert into pipeline as p (name, latest_version)
values ($1, 1)
on conflict (name) do update
set latest_version = p.latest_version + 1,
  enabled = p.enabled or p.deleted_at is not null,
  created_at = case when p.deleted_at is null then p.created_at else now() end,
  deleted_at = null
returning latest_version as version`,
};
