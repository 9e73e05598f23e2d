import type { Statement } from '../database/database.js';

/**
 * An immutable version.
 * $1 name, $2 version, $3 the definition as it came, $4 sha-256 of its canonical text.
 */
export const insertPipelineVersion: Statement = {
  name: 'insert-pipeline-version',
  text: `
insert into pipeline_version (name, version, definition, definition_hash)
values ($1, $2, $3, $4)
returning id as "versionId", created_at as "publishedAt"`,
};
