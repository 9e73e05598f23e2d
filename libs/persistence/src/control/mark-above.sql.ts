import type { Statement } from '../database/database.js';

/** What holds an execution: a mark on it or above it. $1 execution. */
export const markAbove: Statement = {
  name: 'mark-above',
  text: `
select marked_lineage($1) as mark`,
};
