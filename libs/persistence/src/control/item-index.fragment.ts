/** The item index of a child, which is the last 32 bits of its id. @param id a column */
export const itemIndex = (id: string): string => `('x' || right(${id}::text, 8))::bit(32)::bigint`;
