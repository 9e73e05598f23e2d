import type { DatasetRow } from '@app/persistence';
import { exactOrNull } from '../json/json-text.js';

/** A dataset as the api shows it. */
export function datasetView(row: DatasetRow) {
  return {
    id: row.id,
    name: row.name,
    format: row.format,
    columns: exactOrNull(row.columns),
    ...(row.format === 'csv' ? { separator: row.separator ?? ',' } : {}),
    itemCount: row.itemCount,
    bytes: row.bytes,
    sha256: row.sha256,
    createdAt: row.createdAt,
  };
}
