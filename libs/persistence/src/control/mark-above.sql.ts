import type { Statement } from '../database/database.js';

/** The strongest mark on an execution or above it. $1 execution. */
export const markAbove: Statement = {
  name: 'mark-above',
  text: `
select marked_lineage($1) as mark`,
};
