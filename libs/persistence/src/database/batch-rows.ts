/**
 * Keeps a plan right that is made while a table is empty. The planner guesses that an array unnests to ten or a hundred rows,
 * and against an empty table that is a reason to read the whole table first; the plan is kept, and the table grows. This
 * condition is true for every row and known to the planner as selective, so it expects one row of the batch, takes that first
 * and looks the table up by its key. A batch that is itself a join needs it on each of its parts, or ten rows are expected.
 * @param column a numeric column of the batch that is never null
 */
export const batchFirst = (column: string): string => `${column} + 0 = ${column}`;
